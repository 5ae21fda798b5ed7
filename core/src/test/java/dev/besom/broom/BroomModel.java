package dev.besom.broom;

import dev.besom.Adaptation;
import dev.besom.FilterFullException;
import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random life of a broom filter beside the truth: inserts, deletes, repairs, growth, saving and loading, in any order and
 * for any load, with every key asked for again and again. Many keys that were deleted come back. Some hashes agree with stored ones in all but their last
 * bits, so that extensions become long and run out of room; with a lag, keys are in the filter for a while before they
 * are stored.
 */
final class BroomModel {

    private static final int MOST_LEFT = 500;

    private final int capacity;
    private final boolean lag;
    private final long seed;
    private final SplittableRandom random;
    private final RehashableMemoryHashes stored = new RehashableMemoryHashes();
    private final List<Long> inFilter = new ArrayList<>();
    private final List<Long> left = new ArrayList<>();
    private final List<Long> notYetStored = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private BroomFilter filter;
    private long leftBehind;

    long fixed;
    long refused;
    long forgot;
    long overflowed;
    long spilled;
    long generations;

    BroomModel(FilterSpec spec, boolean lag, long seed) {
        this.capacity = (int) spec.capacity();
        this.lag = lag;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.filter = BroomFilter.make(spec, stored);
    }

    void run(int steps, double load, int stepsBetweenChecks) {
        for (int step = 0; step < steps; step++) {
            try {
                step(step, load);
                if (step % stepsBetweenChecks == 0) {
                    check();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
            }
        }
        check();
    }

    private void step(int step, double load) {
        boolean isFilling = (step / (4 * capacity + 10) & 1) == 0;
        int choice = random.nextInt(1000);
        if (choice < 450) {
            repair();
        } else if (choice < (isFilling ? 850 : 600)) {
            if (inFilter.size() < load * capacity) {
                insert();
            }
        } else if (choice < 990) {
            delete();
        } else if (choice < 999) {
            saveAndLoad();
        } else {
            grow();
        }
        if (!notYetStored.isEmpty() && random.nextInt(4) == 0) {
            stored.add(notYetStored.remove(random.nextInt(notYetStored.size())));
        }
    }

    /** Any hash, or one that differs from a key's in one bit, mostly a low one. */
    private long anyHash() {
        if (inFilter.isEmpty() || random.nextInt(3) > 0) {
            return random.nextLong();
        }
        int bit = random.nextInt(1 + random.nextInt(60));
        return inFilter.get(random.nextInt(inFilter.size())) ^ 1L << bit;
    }

    private void insert() {
        boolean isAgain = !inFilter.isEmpty() && random.nextInt(20) == 0;
        boolean isBack = !isAgain && !left.isEmpty() && random.nextInt(3) == 0;
        long hash = isAgain
                ? inFilter.get(random.nextInt(inFilter.size()))
                : isBack ? left.remove(random.nextInt(left.size())) : anyHash();
        boolean maybe = filter.mightContain(hash);
        boolean isStoreFirst = !lag && random.nextBoolean();
        if (isStoreFirst) {
            stored.add(hash);
        }
        try {
            require(filter.insert(hash) != maybe, "insert and question disagree");
        } catch (FilterFullException full) {
            refused++;
            if (isStoreFirst) {
                stored.remove(hash);
            }
            return;
        }
        inFilter.add(hash);
        if (lag && random.nextBoolean()) {
            notYetStored.add(hash);
        } else if (!isStoreFirst) {
            stored.add(hash);
        }
    }

    private void delete() {
        if (inFilter.isEmpty()) {
            return;
        }
        int index = random.nextInt(inFilter.size());
        long hash = inFilter.get(index);
        if (!stored.contains(hash) || notYetStored.contains(hash)) {
            return;
        }
        long position = stored.rehash().position(hash);
        boolean isAlone = stored.between(position, position).length == 1;
        // Of two equal hashes one must stay stored until the filter has given it up: it could not tell otherwise.
        boolean isStoreFirst = isAlone && random.nextBoolean();
        if (isStoreFirst) {
            stored.remove(hash);
        }
        if (!filter.delete(hash)) {
            require(lag, "a key that is there was not deleted");
            leftBehind++;
        }
        if (!isStoreFirst) {
            stored.remove(hash);
        }
        inFilter.set(index, inFilter.get(inFilter.size() - 1));
        inFilter.remove(inFilter.size() - 1);
        if (left.size() < MOST_LEFT) {
            left.add(hash);
        } else {
            left.set(random.nextInt(MOST_LEFT), hash);
        }
    }

    private void repair() {
        long query = random.nextInt(3) == 0 && !asked.isEmpty() ? asked.get(random.nextInt(asked.size())) : anyHash();
        if (notYetStored.contains(query) || !filter.mightContain(query)) {
            return;
        }
        if (asked.size() < 500) {
            asked.add(query);
        }
        Adaptation adaptation = filter.repair(query);
        boolean isKey = stored.contains(query);
        require(!isKey || adaptation == Adaptation.INSEPARABLE, "a stored key was repaired");
        if (adaptation != Adaptation.INSEPARABLE) {
            require(!filter.mightContain(query), "repaired, and still maybe");
            fixed++;
            forgot += adaptation == Adaptation.FORGOT ? 1 : 0;
        }
    }

    private void saveAndLoad() {
        overflowed = Math.max(overflowed, filter.binStatistics().overflowed());
        spilled = Math.max(spilled, filter.binStatistics().spilledBins());
        FilterImage image = filter.image();
        long[] parameters = new long[image.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = image.parameter(i);
        }
        double expected = filter.expectedFpp();
        generations = stored.rehash().generation();
        filter = BroomFilter.read(
                new FilterImage(
                        image.kind(),
                        parameters,
                        image.sections().stream().map(long[]::clone).toList()),
                stored);
        require(filter.expectedFpp() == expected, "another rate is expected after reading");
    }

    private void grow() {
        while (!notYetStored.isEmpty()) {
            stored.add(notYetStored.remove(notYetStored.size() - 1));
        }
        try {
            filter = filter.grown(capacity);
            leftBehind = 0;
        } catch (FilterFullException e) {
            refused++;
        }
    }

    private void check() {
        filter.checkInvariants();
        require(filter.count() == inFilter.size() + leftBehind, "the count is wrong");
        for (long hash : inFilter) {
            require(filter.mightContain(hash), "lost " + Long.toHexString(hash));
        }
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new AssertionError(complaint);
        }
    }
}
