package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import dev.besom.stored.MemoryHashes;
import dev.besom.testsupport.AdaptiveLife;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A random life of a cascade beside the truth: inserts, deletes, repairs, saving and loading, in any order, with every
 * key asked for again and again. Keys leave the store before the filter or after it.
 */
final class CascadeModel extends AdaptiveLife<AdaptiveFilter> {

    private final Kind kind;
    private final MemoryHashes stored;
    private final Map<Long, Integer> times = new HashMap<>();
    private final Set<Long> repaired = new HashSet<>();

    long moved;
    long dead;
    int levels;

    CascadeModel(Kind kind, FilterSpec spec, boolean lag, long seed) {
        this(kind, spec, new MemoryHashes(), lag, seed);
    }

    private CascadeModel(Kind kind, FilterSpec spec, MemoryHashes stored, boolean lag, long seed) {
        super(spec, (AdaptiveFilter) kind.make(spec, stored), lag, seed);
        this.kind = kind;
        this.stored = stored;
    }

    @Override
    protected void step(int inThousand, boolean isFilling, double load) {
        if (inThousand < 500) {
            repair(anyQuery());
        } else if (inThousand < (isFilling ? 880 : 650)) {
            insert(load);
        } else if (inThousand < 990) {
            delete();
        } else {
            long size = filter.sizeInBits();
            saveAndLoad();
            require(filter.sizeInBits() == size, "another size after reading");
        }
    }

    /** Any hash, or one that differs from a key's in one bit. */
    @Override
    protected long anyHash() {
        if (present.isEmpty() || random.nextInt(3) > 0) {
            return random.nextLong();
        }
        return present.get(random.nextInt(present.size())) ^ 1L << random.nextInt(Long.SIZE);
    }

    @Override
    protected void addToStore(long hash) {
        stored.add(hash);
    }

    @Override
    protected void removeFromStore(long hash) {
        stored.remove(hash);
    }

    @Override
    protected boolean isKey(long hash) {
        return times.containsKey(hash);
    }

    @Override
    protected AdaptiveFilter read(FilterImage image) {
        return (AdaptiveFilter) kind.read(image, stored);
    }

    @Override
    protected void inserted(long hash) {
        repaired.remove(hash);
        times.merge(hash, 1, Integer::sum);
    }

    private void delete() {
        if (present.isEmpty()) {
            return;
        }
        int index = random.nextInt(present.size());
        long hash = present.get(index);
        boolean isTwice = times.getOrDefault(hash, 0) > 1;
        boolean isInFlight = notYetStored.contains(hash);
        if (!(isTwice && isInFlight)) {
            require(delete(index, !isInFlight && random.nextBoolean()), "a key that is there was not deleted");
            notYetStored.remove(hash);
            times.computeIfPresent(hash, (key, often) -> often == 1 ? null : often - 1);
        }
        long stranger = anyHash();
        // A hash that is stored once and in flight once looks as if it had been stored since.
        boolean isClear = notYetStored.stream().allMatch(late -> times.getOrDefault(late, 0) == 1);
        if (isClear && !isKey(stranger)) {
            require(!filter.deleteHash(stranger), "a hash that is no key was deleted");
        }
    }

    @Override
    protected void notRepaired(boolean isKey) {
        require(isKey || lag, "a false positive was not repaired");
    }

    @Override
    protected void repaired(long query, Adaptation adaptation) {
        if (adaptation == Adaptation.FORGOT) {
            repaired.clear();
        } else if (levels == 1) {
            // Its cell or fingerprint is dead, and the table of whole hashes is never mistaken. At a second level it
            // could be.
            repaired.add(query);
        }
    }

    @Override
    protected void checkInvariants() {
        if (filter instanceof AdaptiveBloomFilter bloom) {
            bloom.checkInvariants();
        } else {
            ((CascadeFilter) filter).checkInvariants();
        }
    }

    @Override
    protected void check() {
        super.check();
        CascadeStatistics statistics = statistics(filter);
        moved = Math.max(moved, statistics.moved());
        dead = Math.max(dead, statistics.dead());
        levels = statistics.levels();
        for (long hash : repaired) {
            require(!filter.mightContainHash(hash), "no longer repaired: " + Long.toHexString(hash));
        }
    }

    static CascadeStatistics statistics(AdaptiveFilter filter) {
        return filter instanceof AdaptiveBloomFilter bloom
                ? bloom.cascadeStatistics()
                : ((CascadeFilter) filter).cascadeStatistics();
    }
}
