package dev.besom.bloom;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LossyRemovalFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
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
 * <p>A removed key is still in the first filter, which is therefore sized for the capacity and all removals: however many of
 * those are used up and replaced by other keys, the rate is at most the one that was asked for. Once they are used up, or
 * before, the filter can be {@linkplain #regenerate(HashSource) regenerated} from the keys that are there.
 *
 * <p>Adding a key that the second filter takes for removed, because it was or by accident, cannot take it out of that
 * filter again. Such keys are kept in a small exact set, <em>put back</em>, and so an insert always takes effect. The
 * price is 16 bytes and up for each key that is put back, and one in a thousand inserts after many removals.
 *
 * <p>One writer at a time. Options: {@code removals}, how many keys may be removed (a tenth of the capacity unless given)
 * and {@code falseNegativeRate}, the highest rate of false negatives with so many removed (0.001 unless given).
 *
 * <p>A. Broder, M. Mitzenmacher: Network applications of Bloom filters: a survey. Internet Mathematics 1(4), 2004, for
 * the family; the scheme, and regenerating the filter, are folklore.
 */
public final class CompositeBloomFilter implements LossyRemovalFilter, PersistentFilter {

    static final String KIND = "composite-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField REMOVALS = FORM.whole("removals", "removals it is sized for");
    private static final LongField COUNT = FORM.whole("count", "keys that looked new less those removed");
    private static final Section PUT_BACK =
            FORM.section("hashes put back", "those inserted again after a removal, ascending as signed numbers");

    static {
        FORM.parts("two Bloom filters: of the keys added and of the keys removed");
    }

    private static final long REMOVED_SEED = 0x5BE0CD19137E2179L;

    private BloomFilter added;
    private BloomFilter removed;
    private ExactHashes putBack;
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

    /** A filter sized for the spec, with the options {@code removals} and {@code falseNegativeRate}. */
    static CompositeBloomFilter make(FilterSpec spec) {
        long removals = spec.option("removals", Math.max(1, spec.capacity() / 10), 1, Long.MAX_VALUE);
        double falseNegatives = spec.option("falseNegativeRate", 0.001, Double.MIN_NORMAL, 0.5);
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        if (removals > Long.MAX_VALUE - spec.capacity()) {
            throw new IllegalArgumentException("no composite-bloom filter takes " + removals + " removals");
        }
        BloomFilter added = BloomFilter.make(plain.withCapacity(spec.capacity() + removals));
        BloomFilter removed = BloomFilter.makeForCounted(
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
    public void regenerate(HashSource hashes) {
        BloomFilter newAdded = added.emptied();
        hashes.forEach(newAdded::insertHash);
        added = newAdded;
        removed = removed.emptied();
        putBack = new ExactHashes();
        count = newAdded.count();
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
        return FORM.write()
                .set(REMOVALS, removalCapacity)
                .set(COUNT, count)
                .set(PUT_BACK, putBack.toWords())
                .part(added.image())
                .part(removed.image())
                .image();
    }

    static CompositeBloomFilter read(FilterImage image) {
        FilterImage.Parts parts = image.parts(FORM);
        BloomFilter added = BloomFilter.read(parts.next(BloomFilter.FORM));
        BloomFilter removed = BloomFilter.read(parts.next(BloomFilter.FORM));
        parts.end();
        long removalCapacity = image.get(REMOVALS, 1, Long.MAX_VALUE);
        long count = image.get(COUNT, 0, Long.MAX_VALUE);
        return new CompositeBloomFilter(added, removed, ExactHashes.read(image, PUT_BACK), removalCapacity, count);
    }
}
