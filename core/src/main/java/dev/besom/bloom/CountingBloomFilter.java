package dev.besom.bloom;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.MergeCheck;
import dev.besom.spi.PersistentFilter;
import java.util.function.LongPredicate;

/**
 * A Bloom filter of counters instead of bits, so that keys can be taken out again.
 *
 * <pre>
 *   word    counter 15  ...  counter 1  counter 0        4 bits each, unless the option counterBits says otherwise
 *           [    3    ] ...  [    0   ] [   15   ]
 *                                           stuck: never changes again
 * </pre>
 *
 * A counter that has reached its highest value, 15, no longer knows how many keys it stands for. It sticks there: later
 * deletes leave it alone, which costs false positives but never a false negative. At the planned load a counter of 4 bits
 * sticks with a chance of about 1e-15 (Fan et al. give 1.4e-15 as the bound), so only keys that are inserted over and over
 * meet it; {@link #stuckCounters()} tells. Counters of 3 bits take a quarter less space and stick with a chance of about
 * 5e-6: enough where few keys are deleted. Wider ones count keys that are inserted many times.
 *
 * <p>It is a multiset: a key inserted twice is there until it has been deleted twice. One writer at a time.
 *
 * <p>Costs: as a Bloom filter, with as many times the memory as a counter has bits.
 *
 * <p>L. Fan, P. Cao, J. Almeida, A. Z. Broder: Summary cache: a scalable wide-area web cache sharing protocol. IEEE/ACM
 * Transactions on Networking 8(3), 2000.
 */
public final class CountingBloomFilter implements DeletableFilter, MergeableFilter, PersistentFilter {

    static final String KIND = "counting-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField COUNTERS = FORM.whole("counters", "counters");
    private static final LongField COUNTER_BITS = FORM.whole("counter bits", "bits of a counter, 2 to 16");
    private static final LongField PROBES = FORM.whole("probes", "counters a key uses, 1 to 64");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "inserts less deletes");
    private static final Section WORDS =
            FORM.section("words", "the counters, packed, the lowest first; and a word of 0");

    private static final int USUAL_COUNTER_BITS = 4;
    private static final int FEWEST_COUNTER_BITS = 2;
    private static final int MOST_COUNTER_BITS = 16;
    private static final long SEED_SALT = 0x1F83D9ABFB41BD6BL;

    private final PackedArray counters;
    private final long stuck;
    private final int probes;
    private final long seed;
    private long count;

    private CountingBloomFilter(PackedArray counters, int probes, long seed, long count) {
        this.counters = counters;
        this.stuck = (1L << counters.widthInBits()) - 1;
        this.probes = probes;
        this.seed = seed;
        this.count = count;
    }

    /** A filter sized for the spec, with the options {@code probes} and {@code counterBits}. */
    static CountingBloomFilter make(FilterSpec spec) {
        int probes = (int) spec.option("probes", BloomMath.fewProbes(spec.fpp()), 1, BloomMath.MAX_PROBES);
        int width = (int) spec.option("counterBits", USUAL_COUNTER_BITS, FEWEST_COUNTER_BITS, MOST_COUNTER_BITS);
        long length = BloomMath.bits(spec.capacity(), spec.fpp(), probes);
        long most = ((Words.MAX_COUNT - 1) << 6) / width;
        if (length > most) {
            throw new IllegalArgumentException(length + " counters are more than the largest filter has, " + most);
        }
        return new CountingBloomFilter(new PackedArray(length, width), probes, spec.seed(), 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return leastCounter(hash) > 0;
    }

    /**
     * At most how often the key was inserted and not deleted; the highest value of a counter may stand for more.
     *
     * <p>S. Cohen, Y. Matias: Spectral Bloom filters. SIGMOD 2003: the least counter is the best estimate.
     */
    public int countOfHash(long hash) {
        return (int) leastCounter(hash);
    }

    private long leastCounter(long hash) {
        long start = Mix.mix(hash + seed + SEED_SALT);
        long least = stuck;
        for (int i = 0; i < probes && least > 0; i++) {
            least = Math.min(least, counters.get(index(start, i)));
        }
        return least;
    }

    private long index(long start, int probe) {
        return FastRange.place(IndexScheme.step(start, probe), counters.length());
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
        long start = Mix.mix(hash + seed + SEED_SALT);
        boolean wasZero = false;
        for (int i = 0; i < probes; i++) {
            long index = index(start, i);
            long value = counters.get(index);
            wasZero |= value == 0;
            if (value < stuck && value + change >= 0) {
                counters.set(index, value + change);
            }
        }
        return wasZero;
    }

    /** How many counters have reached their highest value and can no longer be counted down. */
    public long stuckCounters() {
        return countersThat(value -> value == stuck);
    }

    private long countersThat(LongPredicate holds) {
        long found = 0;
        for (long index = 0; index < counters.length(); index++) {
            if (holds.test(counters.get(index))) {
                found++;
            }
        }
        return found;
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(KIND);
        CountingBloomFilter same = check.type(CountingBloomFilter.class, other);
        check.same("counters", counters.length(), same.counters.length());
        check.same("bits of a counter", counters.widthInBits(), same.counters.widthInBits());
        check.same("probes", probes, same.probes);
        check.same("seed", seed, same.seed);
        counters.addSaturating(same.counters);
        count += same.count;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return counters.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        double fill = (double) countersThat(value -> value > 0) / counters.length();
        return Math.pow(fill, probes);
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(COUNTERS, counters.length())
                .set(COUNTER_BITS, counters.widthInBits())
                .set(PROBES, probes)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(WORDS, counters.words())
                .image();
    }

    static CountingBloomFilter read(FilterImage image) {
        long length = image.get(COUNTERS, 1, Long.MAX_VALUE);
        int width = (int) image.get(COUNTER_BITS, FEWEST_COUNTER_BITS, MOST_COUNTER_BITS);
        int probes = (int) image.get(PROBES, 1, BloomMath.MAX_PROBES);
        long count = image.get(COUNT, 0, Long.MAX_VALUE);
        PackedArray counters = image.checked(() -> PackedArray.checked(image.get(WORDS), length, width));
        return new CountingBloomFilter(counters, probes, image.get(SEED), count);
    }
}
