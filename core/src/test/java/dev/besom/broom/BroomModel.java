package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.stored.RehashableMemoryHashes;
import dev.besom.testsupport.AdaptiveLife;

/**
 * A random life of a broom filter beside the truth: inserts, deletes, repairs, growth, saving and loading, in any order and
 * for any load, with every key looked up again and again. Some hashes agree with stored ones in all but their last
 * bits, so that extensions become long and run out of room.
 */
final class BroomModel extends AdaptiveLife<BroomFilter> {

    private final RehashableMemoryHashes stored;

    long overflowed;
    long spilled;
    long generations;

    BroomModel(FilterSpec spec, boolean lag, long seed) {
        this(spec, new RehashableMemoryHashes(), lag, seed);
    }

    private BroomModel(FilterSpec spec, RehashableMemoryHashes stored, boolean lag, long seed) {
        super(spec, BroomFilter.make(spec, stored), lag, seed);
        this.stored = stored;
    }

    @Override
    protected void step(int inThousand, boolean isFilling, double load) {
        if (inThousand < 450) {
            long query = anyQuery();
            if (!notYetStored.contains(query)) {
                repair(query);
            }
        } else if (inThousand < (isFilling ? 850 : 600)) {
            insert(load);
        } else if (inThousand < 990) {
            delete();
        } else if (inThousand < 999) {
            overflowed = Math.max(overflowed, filter.binStatistics().overflowed());
            spilled = Math.max(spilled, filter.binStatistics().spilledBins());
            generations = stored.rehash().generation();
            saveAndLoad();
        } else {
            grow();
        }
    }

    /** Any hash, or one that differs from a key's in one bit, mostly a low one. */
    @Override
    protected long anyHash() {
        if (present.isEmpty() || random.nextInt(3) > 0) {
            return random.nextLong();
        }
        int bit = random.nextInt(1 + random.nextInt(60));
        return present.get(random.nextInt(present.size())) ^ 1L << bit;
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
        return stored.contains(hash);
    }

    @Override
    protected BroomFilter read(FilterImage image) {
        return BroomFilter.read(image, stored);
    }

    private void delete() {
        if (present.isEmpty()) {
            return;
        }
        int index = random.nextInt(present.size());
        long hash = present.get(index);
        if (!stored.contains(hash) || notYetStored.contains(hash)) {
            return;
        }
        long position = stored.rehash().position(hash);
        boolean isAlone = stored.between(position, position).length == 1;
        // Of two equal hashes one must stay stored until the filter has given it up: it could not tell otherwise.
        if (!delete(index, isAlone && random.nextBoolean())) {
            require(lag, "a key that is there was not deleted");
            leftBehind++;
        }
    }

    private void grow() {
        while (!notYetStored.isEmpty()) {
            stored.add(notYetStored.remove(notYetStored.size() - 1));
        }
        try {
            filter = filter.grown(capacity, stored);
        } catch (FilterFullException e) {
            return;
        }
        leftBehind = 0;
    }

    /** Fingerprints that could not be deleted at once are deleted later. */
    @Override
    protected void check() {
        long more = filter.count() - present.size();
        require(more >= 0 && more <= leftBehind, more + " fingerprints too many where " + leftBehind + " were left");
        leftBehind = more;
        super.check();
    }

    @Override
    protected void checkInvariants() {
        filter.checkInvariants();
    }
}
