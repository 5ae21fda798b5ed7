package dev.besom.guard;

import dev.besom.guard.fleet.Member;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.SharedKeys;

/** The guard over a loader beside others of its fleet: a new key is announced to all of them. */
final class FleetLoaderGuard<K, V> extends SharedLoaderGuard<K, V> {

    private final Member member;
    private final AnnouncedPuts puts;

    FleetLoaderGuard(Loader<K, V> loader, SharedKeys<K> keys, Member member, Parts<K> parts) {
        super(loader, keys, parts);
        this.member = member;
        this.puts = new AnnouncedPuts(member);
    }

    @Override
    boolean mightBeStored(long hash) {
        return mightContainHash(hash);
    }

    @Override
    boolean isAdded(K key, long hash) {
        return puts.isNew(hash, number -> keys().beginFirstPut(key, hash, number));
    }

    @Override
    void stored() {}

    @Override
    void removed(long hash) {
        member.gone(hash);
    }

    @Override
    void closeStore() {
        try {
            member.close();
        } finally {
            keys().close();
        }
    }
}
