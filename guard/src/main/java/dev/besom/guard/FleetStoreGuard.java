package dev.besom.guard;

import dev.besom.guard.fleet.Member;
import dev.besom.guard.store.AnnouncementSweptException;
import dev.besom.guard.store.FleetStore;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The guard over a store that other guards of its fleet change too. A new key is announced to all of them before it is stored, so
 * no change holds a shard while it waits for the store.
 */
final class FleetStoreGuard<K, V> extends ShardedGuard<K, V> implements StoreGuard<K, V> {

    private final FleetStore<K, V> store;
    private final Member member;
    private final AnnouncedPuts puts;

    FleetStoreGuard(FleetStore<K, V> store, Member member, Parts<K> parts) {
        super(store, parts);
        this.store = store;
        this.member = member;
        this.puts = new AnnouncedPuts(member);
    }

    @Override
    public boolean put(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        return change(() -> !(mightContainHash(hash) && store.replace(key, hash, value))
                && puts.isNew(hash, number -> store.put(key, hash, value, number)));
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        List<V> found = new ArrayList<>();
        change(() -> {
            for (int tries = 0; tries < AnnouncedPuts.MOST_TRIES; tries++) {
                V there = mightContainHash(hash) ? store.get(key) : null;
                if (there != null) {
                    found.add(there);
                    return false;
                }
                if (puts.isNew(hash, number -> store.putIfAbsent(key, hash, value, number))) {
                    return true;
                }
            }
            throw new StoreException(
                    "others put and remove the same key",
                    new IllegalStateException(AnnouncedPuts.MOST_TRIES + " tries"));
        });
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> values) {
        KeyBatch<K, V> all = new KeyBatch<>(store);
        values.forEach((key, value) -> all.add(key, hasher().hash(key), Objects.requireNonNull(value, "value")));
        all.parts()
                .forEach(part -> change(() -> {
                    putNew(part.without(part.replaced(this::mightContainHash)));
                    return true;
                }));
    }

    private void putNew(KeyBatch<K, V> batch) {
        long[] hashes = batch.hashes();
        for (int tries = 1; hashes.length > 0; tries++) {
            long first = member.announce(hashes);
            boolean isDone = false;
            try {
                long[] numbers = new long[hashes.length];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = first + i;
                }
                store.putAll(batch.keys(), hashes, batch.values(), numbers);
                isDone = true;
                return;
            } catch (AnnouncementSweptException e) {
                if (tries == AnnouncedPuts.MOST_TRIES) {
                    throw e;
                }
            } finally {
                if (!isDone) {
                    member.giveUpLater(first, hashes);
                }
            }
        }
    }

    @Override
    public boolean remove(K key) {
        long hash = hasher().hash(key);
        return change(() -> {
            boolean isRemoved = mightContainHash(hash) && store.remove(key, hash);
            if (isRemoved) {
                member.gone(hash);
            }
            return isRemoved;
        });
    }

    @Override
    public Announcement announce(K key) {
        return new FleetAnnouncement(key, hasher().hash(key));
    }

    private final class FleetAnnouncement extends HeldAnnouncement {

        private final K key;
        private long number;

        FleetAnnouncement(K key, long hash) {
            super(gate(), hash);
            this.key = key;
            begin(() -> {
                change(() -> (number = member.announce(hash)) >= 0);
                store.announced(hash, number);
            });
        }

        @Override
        void end(boolean isOver) {
            store.settled(hash(), number);
            if (isOver) {
                member.giveUp(number, hash());
                if (store.contains(key) && store.hashes().between(hash(), hash()).length == 0) {
                    throw new IllegalStateException("a key was stored without its hash: store it again with the hash");
                }
            }
        }
    }

    @Override
    public Store<K, V> store() {
        return store;
    }

    @Override
    void closeStore() {
        try {
            member.close();
        } finally {
            store.close();
        }
    }
}
