package dev.besom.bloom;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.LossyRemovalFilter;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Map;

/**
 * A Bloom filter with a second one of the keys that were removed: the historical way to take keys out.
 *
 * <pre>
 *   maybe  =  added says maybe   and not   (removed says maybe  and  not put back)
 * </pre>
 *
 * <b>It can have false negatives</b>: a false positive of the second filter hides a key that is there. Their rate is the
 * false-positive rate of the second filter, which is sized for a number of removals and refuses more. Without removals
 * there are none.
 *
 * <p>Adding a key that the second filter takes for removed, because it was or by accident, cannot take it out of that
 * filter again. Such keys are kept in a small exact set, <em>put back</em>, and so an insert always takes effect. The
 * price is 16 bytes and up for each key that is put back, and one in a thousand inserts after many removals.
 *
 * <p>One writer at a time. Options: {@code removals}, how many keys may be removed (a tenth of the capacity unless given)
 * and {@code falseNegativeRate}, the highest rate of false negatives with so many removed (0.001 unless given).
 *
 * <p>A. Broder, M. Mitzenmacher: Network applications of Bloom filters: a survey. Internet Mathematics 1(4), 2004, for
 * the family; the scheme is folklore.
 */
public final class CompositeBloomFilter implements LossyRemovalFilter, PersistentFilter {

    static final String KIND = "composite-bloom";

    private static final long REMOVED_SEED = 0x5BE0CD19137E2179L;
    private static final int BLOOM_PARAMETERS = 5;

    private final BloomFilter added;
    private final BloomFilter removed;
    private final ExactHashes putBack;
    private final long removalCapacity;
    private long count;

    private CompositeBloomFilter(
            BloomFilter added, BloomFilter removed, ExactHashes putBack, long removalCapacity, long count) {
        this.added = added;
        this.removed = removed;
        this.putBack = putBack;
        this.removalCapacity = removalCapacity;
        this.count = count;
    }

    public static CompositeBloomFilter of(FilterSpec spec) {
        long removals = spec.option("removals", Math.max(1, spec.capacity() / 10), 1, Long.MAX_VALUE);
        double falseNegatives = spec.option("falseNegativeRate", 0.001, Double.MIN_NORMAL, 0.5);
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        BloomFilter added = BloomFilter.of(plain);
        BloomFilter removed = BloomFilter.forCounted(
                plain.withCapacity(removals).withFpp(falseNegatives).withSeed(spec.seed() + REMOVED_SEED));
        return new CompositeBloomFilter(added, removed, new ExactHashes(), removals, 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return added.mightContainHash(hash) && (!removed.mightContainHash(hash) || putBack.contains(hash));
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        added.insertHash(hash);
        if (isNew) {
            count++;
            if (removed.mightContainHash(hash)) {
                putBack.add(hash);
            }
        }
        return isNew;
    }

    @Override
    public boolean removeHash(long hash) {
        if (!mightContainHash(hash)) {
            return false;
        }
        if (!putBack.remove(hash)) {
            if (removed.count() >= removalCapacity) {
                throw new FilterFullException("all " + removalCapacity
                        + " removals of this composite-bloom filter are used up; more would hide keys that are there");
            }
            removed.insertHash(hash);
        }
        // A key that looked present when it was inserted was not counted, and may be removed all the same.
        count = Math.max(0, count - 1);
        return true;
    }

    @Override
    public double expectedFalseNegativeRate() {
        return removed.expectedFpp();
    }

    @Override
    public long removedCount() {
        return removed.count();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return added.sizeInBits() + removed.sizeInBits() + putBack.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return added.expectedFpp() * (1 - removed.expectedFpp());
    }

    @Override
    public FilterImage image() {
        FilterImage first = added.image();
        FilterImage second = removed.image();
        long[] parameters = new long[2 * BLOOM_PARAMETERS + 2];
        for (int i = 0; i < BLOOM_PARAMETERS; i++) {
            parameters[i] = first.parameter(i);
            parameters[BLOOM_PARAMETERS + i] = second.parameter(i);
        }
        parameters[2 * BLOOM_PARAMETERS] = removalCapacity;
        parameters[2 * BLOOM_PARAMETERS + 1] = count;
        return new FilterImage(
                KIND,
                parameters,
                List.of(first.sections().get(0), second.sections().get(0), putBack.toWords()));
    }

    static CompositeBloomFilter of(FilterImage image) {
        image.checkForm(2 * BLOOM_PARAMETERS + 2, 3);
        BloomFilter added = BloomFilter.of(image, 0, 0);
        BloomFilter removed = BloomFilter.of(image, BLOOM_PARAMETERS, 1);
        long removalCapacity = image.parameter(2 * BLOOM_PARAMETERS);
        long count = image.parameter(2 * BLOOM_PARAMETERS + 1);
        image.check(removalCapacity >= 1 && count >= 0, "negative counts cannot be");
        long[] words = image.sections().get(2);
        for (int i = Words.LEAD + 1; i < words.length; i++) {
            image.check(words[i - 1] < words[i], "the keys that were put back are not in order");
        }
        return new CompositeBloomFilter(added, removed, ExactHashes.of(words), removalCapacity, count);
    }
}
