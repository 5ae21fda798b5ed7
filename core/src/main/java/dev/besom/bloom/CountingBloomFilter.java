package dev.besom.bloom;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A Bloom filter of counters instead of bits, so that keys can be taken out again.
 *
 * <pre>
 *   word    counter 15  ...  counter 1  counter 0        4 bits each
 *           [    3    ] ...  [    0   ] [   15   ]
 *                                           stuck: never changes again
 * </pre>
 *
 * A counter that has reached 15 no longer knows how many keys it stands for. It sticks there: later deletes leave it
 * alone, which costs false positives but never a false negative. At the planned load a counter sticks with a chance of
 * about 1e-15 (Fan et al. give 1.4e-15 as the bound), so only keys that are inserted over and over meet it;
 * {@link #stuckCounters()} tells.
 *
 * <p>It is a multiset: a key inserted twice is there until it has been deleted twice. One writer at a time.
 *
 * <p>Costs: as a Bloom filter, with four times the memory.
 *
 * <p>L. Fan, P. Cao, J. Almeida, A. Z. Broder: Summary cache: a scalable wide-area web cache sharing protocol. IEEE/ACM
 * Transactions on Networking 8(3), 2000.
 */
public final class CountingBloomFilter implements DeletableFilter, MergeableFilter, PersistentFilter {

    static final String KIND = "counting-bloom";

    private static final int COUNTER_BITS = 4;
    private static final int COUNTERS_A_WORD = Long.SIZE / COUNTER_BITS;
    private static final long STUCK = (1 << COUNTER_BITS) - 1;
    private static final long SEED_SALT = 0x1F83D9ABFB41BD6BL;
    private static final long MAX_COUNTERS = Words.MAX_COUNT * COUNTERS_A_WORD;

    private final long[] words;
    private final long counterCount;
    private final int probes;
    private final long seed;
    private long count;

    private CountingBloomFilter(long[] words, int probes, long seed, long count) {
        this.words = words;
        this.counterCount = (long) Words.count(words) * COUNTERS_A_WORD;
        this.probes = probes;
        this.seed = seed;
        this.count = count;
    }

    /** A filter sized for the spec; the option {@code probes} overrides the number of counters a key uses. */
    public static CountingBloomFilter of(FilterSpec spec) {
        int probes = (int) spec.option("probes", BloomMath.fewProbes(spec.fpp()), 1, BloomMath.MAX_PROBES);
        long counters = BloomMath.bits(spec.capacity(), spec.fpp(), probes);
        if (counters > MAX_COUNTERS) {
            throw new IllegalArgumentException(
                    counters + " counters are more than the largest filter has, " + MAX_COUNTERS);
        }
        long wordCount = (counters + COUNTERS_A_WORD - 1) / COUNTERS_A_WORD;
        return new CountingBloomFilter(Words.allocate(wordCount), probes, spec.seed(), 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return leastCounter(hash) > 0;
    }

    /**
     * At most how often the key was inserted and not deleted; 15 may stand for more.
     *
     * <p>S. Cohen, Y. Matias: Spectral Bloom filters. SIGMOD 2003: the least counter is the best estimate.
     */
    public int countOf(long hash) {
        return (int) leastCounter(hash);
    }

    private long leastCounter(long hash) {
        long x = Mix.mix(hash + seed + SEED_SALT);
        long y = IndexScheme.stride(x);
        long z = IndexScheme.STEP;
        long least = STUCK;
        for (int i = 0; i < probes && least > 0; i++) {
            least = Math.min(least, counter(index(x)));
            x += y;
            y += z;
            z += IndexScheme.STEP;
        }
        return least;
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = addToAll(hash, 1);
        count++;
        return isNew;
    }

    @Override
    public boolean deleteHash(long hash) {
        if (!mightContainHash(hash)) {
            return false;
        }
        addToAll(hash, -1);
        // Counters that stick let a key be deleted more often than it was inserted.
        count = Math.max(0, count - 1);
        return true;
    }

    /** Moves each counter of the hash that is not stuck by one; true if one of them was 0. */
    private boolean addToAll(long hash, int change) {
        long x = Mix.mix(hash + seed + SEED_SALT);
        long y = IndexScheme.stride(x);
        long z = IndexScheme.STEP;
        boolean wasZero = false;
        for (int i = 0; i < probes; i++) {
            long index = index(x);
            long value = counter(index);
            wasZero |= value == 0;
            if (value < STUCK && value + change >= 0) {
                setCounter(index, value + change);
            }
            x += y;
            y += z;
            z += IndexScheme.STEP;
        }
        return wasZero;
    }

    private long index(long fraction) {
        return Math.multiplyHigh(fraction >>> 1, 2 * counterCount);
    }

    private long counter(long index) {
        return words[(int) (index / COUNTERS_A_WORD) + Words.LEAD] >>> (index * COUNTER_BITS) & STUCK;
    }

    private void setCounter(long index, long value) {
        int word = (int) (index / COUNTERS_A_WORD) + Words.LEAD;
        long shift = index * COUNTER_BITS;
        words[word] = (words[word] & ~(STUCK << shift)) | (value << shift);
    }

    /** How many counters have reached 15 and can no longer be counted down. */
    public long stuckCounters() {
        return countersThat(value -> value == STUCK);
    }

    private long countersThat(LongPredicate holds) {
        long found = 0;
        for (long index = 0; index < counterCount; index++) {
            if (holds.test(counter(index))) {
                found++;
            }
        }
        return found;
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        Shapes shapes = new Shapes(KIND);
        CountingBloomFilter same = shapes.sameClass(CountingBloomFilter.class, other);
        shapes.same("counters", counterCount, same.counterCount);
        shapes.same("probes", probes, same.probes);
        shapes.same("seed", seed, same.seed);
        for (long index = 0; index < counterCount; index++) {
            setCounter(index, Math.min(STUCK, counter(index) + same.counter(index)));
        }
        count += same.count;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return counterCount * COUNTER_BITS;
    }

    @Override
    public double expectedFpp() {
        double fill = (double) countersThat(value -> value > 0) / counterCount;
        return Math.pow(fill, probes);
    }

    @Override
    public FilterImage image() {
        return new FilterImage(KIND, new long[] {probes, seed, count}, List.of(words));
    }

    static CountingBloomFilter of(FilterImage image) {
        image.checkForm(3, 1);
        long probes = image.parameter(0);
        long count = image.parameter(2);
        long[] words = image.sections().get(0);
        image.check(probes >= 1 && probes <= BloomMath.MAX_PROBES, probes + " probes cannot be");
        image.check(count >= 0, "a count of " + count + " cannot be");
        image.check(Words.count(words) > 0, "a filter with no counters cannot be");
        return new CountingBloomFilter(words, (int) probes, image.parameter(1), count);
    }
}
