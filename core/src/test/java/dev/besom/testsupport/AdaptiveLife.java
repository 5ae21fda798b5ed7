package dev.besom.testsupport;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random life of an adaptive filter beside the truth: what the lives of all kinds have in common. Keys come to the
 * store before the filter or after it; with a lag, some are in the filter for a while before they are stored. Many keys
 * that were deleted come back.
 *
 * @param <F> also a {@link PersistentFilter}
 */
public abstract class AdaptiveLife<F extends AdaptiveFilter> {

    private static final int MOST_ASKED = 500;
    private static final int MOST_GONE = 500;

    protected final int capacity;
    protected final boolean lag;
    protected final SplittableRandom random;

    /** The keys that are in the filter, equal ones as often as they were put in. */
    protected final List<Long> present = new ArrayList<>();

    protected final List<Long> notYetStored = new ArrayList<>();
    protected F filter;

    /** Keys that have gone, and whose fingerprints the filter could not find. */
    protected long leftBehind;

    private final long seed;
    private final List<Long> asked = new ArrayList<>();
    private final List<Long> gone = new ArrayList<>();
    private long fixed;
    private long forgot;
    private long loaded;

    protected AdaptiveLife(FilterSpec spec, F filter, boolean lag, long seed) {
        this.capacity = (int) spec.capacity();
        this.filter = filter;
        this.lag = lag;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** One thing that happens. */
    protected abstract void step(int inThousand, boolean isFilling, double load);

    /** A hash that is a key's, or like one, more often than chance would have it. */
    protected abstract long anyHash();

    protected abstract void addToStore(long hash);

    protected abstract void removeFromStore(long hash);

    /** Whether no repair may succeed, because the hash is a key's. */
    protected abstract boolean isKey(long hash);

    /** The filter of an image. */
    protected abstract F read(FilterImage image);

    protected abstract void checkInvariants();

    /** Called after a key has come. */
    protected void inserted(long hash) {}

    /** Called after a repair that could not be made. */
    protected void notRepaired(boolean isKey) {}

    /** Called after a false positive was repaired. */
    protected void repaired(long query, Adaptation adaptation) {}

    /** Lets things happen, with at most the given part of the capacity in use. */
    public final void run(int steps, double load, int stepsBetweenChecks) {
        for (int step = 0; step < steps; step++) {
            try {
                boolean isFilling = (step / (4 * capacity + 10) & 1) == 0;
                step(random.nextInt(1000), isFilling, load);
                if (!notYetStored.isEmpty() && random.nextInt(4) == 0) {
                    addToStore(notYetStored.remove(random.nextInt(notYetStored.size())));
                }
                if (step % stepsBetweenChecks == 0) {
                    check();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
            }
        }
        check();
    }

    /** Puts in a key, unless too many are in or the filter has no room. */
    protected final void insert(double load) {
        if (present.size() >= load * capacity) {
            return;
        }
        boolean isAgain = !present.isEmpty() && random.nextInt(20) == 0;
        boolean isBack = !isAgain && !gone.isEmpty() && random.nextInt(3) == 0;
        long hash = isAgain
                ? present.get(random.nextInt(present.size()))
                : isBack ? gone.remove(random.nextInt(gone.size())) : anyHash();
        boolean isMaybe = filter.mightContainHash(hash);
        boolean isStoreFirst = !lag && random.nextBoolean();
        if (isStoreFirst) {
            addToStore(hash);
        }
        try {
            require(filter.insertHash(hash) != isMaybe, "insert and query disagree");
        } catch (FilterFullException e) {
            if (isStoreFirst) {
                removeFromStore(hash);
            }
            return;
        }
        present.add(hash);
        inserted(hash);
        if (lag && random.nextBoolean()) {
            notYetStored.add(hash);
        } else if (!isStoreFirst) {
            addToStore(hash);
        }
    }

    /** Takes out the key at an index of {@link #present}; whether the filter found it. */
    protected final boolean delete(int index, boolean isStoreFirst) {
        long hash = present.get(index);
        if (isStoreFirst) {
            removeFromStore(hash);
        }
        boolean isFound = filter.deleteHash(hash);
        if (!isStoreFirst) {
            removeFromStore(hash);
        }
        present.set(index, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        if (gone.size() < MOST_GONE) {
            gone.add(hash);
        } else {
            gone.set(random.nextInt(MOST_GONE), hash);
        }
        return isFound;
    }

    /** A query for any hash, or for one that was a false positive before. */
    protected final long anyQuery() {
        return random.nextInt(3) == 0 && !asked.isEmpty() ? asked.get(random.nextInt(asked.size())) : anyHash();
    }

    /** Repairs a query that gets a "maybe", whether it is a key or not. */
    protected final void repair(long query) {
        if (!filter.mightContainHash(query)) {
            return;
        }
        if (asked.size() < MOST_ASKED) {
            asked.add(query);
        }
        boolean isKey = isKey(query);
        Adaptation adaptation = filter.repairHash(query);
        if (adaptation == Adaptation.INSEPARABLE) {
            notRepaired(isKey);
            return;
        }
        require(!isKey, "a key was repaired");
        require(!filter.mightContainHash(query), "repaired, and still maybe");
        fixed++;
        forgot += adaptation == Adaptation.FORGOT ? 1 : 0;
        repaired(query, adaptation);
    }

    protected final void saveAndLoad() {
        double expected = filter.expectedFpp();
        filter = read(Images.copy(((PersistentFilter) filter).image()));
        require(filter.expectedFpp() == expected, "another rate is expected after reading");
        loaded++;
    }

    /** Checks the structure, the count and every key. */
    protected void check() {
        checkInvariants();
        require(filter.count() == present.size() + leftBehind, "the count is wrong");
        for (long hash : present) {
            require(filter.mightContainHash(hash), "lost " + Long.toHexString(hash));
        }
    }

    /** Repairs that succeeded. */
    public final long fixed() {
        return fixed;
    }

    /** The repairs among them that gave others up. */
    public final long forgot() {
        return forgot;
    }

    /** How often the filter was saved and read again. */
    public final long loaded() {
        return loaded;
    }

    protected static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new AssertionError(complaint);
        }
    }
}
