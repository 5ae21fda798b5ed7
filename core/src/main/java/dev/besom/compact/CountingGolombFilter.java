package dev.besom.compact;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.PersistentFilter;

/**
 * A Golomb-coded multiset that changes: keys come, also more than once, and go again. It is the smallest counting filter here.
 *
 * <pre>
 *   hash --mix--&gt; number (fastrange of capacity / fpp)
 * </pre>
 *
 * The picture of the numbers is in {@link GolombGroups}.
 *
 * <p>The paper only says that this can be done; the groups are ours.
 *
 * <p>Cost: {@code log2(e / fpp)} bits a key and about half a bit, and as much again for each repeated key as for others. A query
 * adds up to 15 lengths and decodes half a block of 80 to 160 keys; a change moves up to two kilobytes. Not safe for concurrent
 * use.
 *
 * <p>F. Putze, P. Sanders and J. Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007.
 */
public final class CountingGolombFilter implements DeletableFilter, PersistentFilter {

    static final String KIND = "golomb-counting";

    private static final long SEED_SALT = 0x3C6EF372FE94F82BL;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField CAPACITY = FORM.whole("capacity", "most different numbers");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final LongField COUNT = FORM.whole("count", "keys, repeated ones included");
    private static final LongField NUMBERS = FORM.whole("numbers", "different numbers");

    static {
        FORM.parts("the numbers, with the form golomb-groups");
    }

    private final GolombGroups groups;
    private final long capacity;
    private final long seed;
    private long count;
    private long numbers;

    private CountingGolombFilter(GolombGroups groups, long capacity, long seed) {
        this.groups = groups;
        this.capacity = capacity;
        this.seed = seed;
    }

    static CountingGolombFilter make(FilterSpec spec) {
        return new CountingGolombFilter(
                GolombGroups.make(spec.capacity(), spec.fpp(), 0), spec.capacity(), spec.seed());
    }

    private long number(long hash) {
        return FastRange.place(Mix.mix(hash + seed + SEED_SALT), groups.range());
    }

    @Override
    public boolean mightContainHash(long hash) {
        long number = number(hash);
        return groups.ceiling(number) == number;
    }

    /**
     * {@inheritDoc}
     *
     * @throws FilterFullException if the number is new and there are as many different ones as planned, or if it has come so
     *     often that a block can take no more
     */
    @Override
    public boolean insertHash(long hash) {
        long number = number(hash);
        if (numbers >= capacity && groups.ceiling(number) != number) {
            throw new FilterFullException(
                    "a Golomb-coded set that changes is full with " + numbers + " different keys");
        }
        boolean isNew = groups.insert(number);
        count++;
        numbers += isNew ? 1 : 0;
        return isNew;
    }

    @Override
    public boolean deleteHash(long hash) {
        int copies = groups.delete(number(hash));
        count -= copies == 0 ? 0 : 1;
        numbers -= copies == 1 ? 1 : 0;
        return copies > 0;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return groups.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return (double) numbers / groups.range();
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(CAPACITY, capacity)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(NUMBERS, numbers)
                .part(groups.image())
                .image();
    }

    static CountingGolombFilter read(FilterImage image) {
        FORM.check(image);
        FilterImage.Parts parts = image.parts(FORM);
        GolombGroups groups = GolombGroups.read(parts.next(GolombGroups.FORM));
        parts.end();
        CountingGolombFilter filter =
                new CountingGolombFilter(groups, image.get(CAPACITY, 1, Long.MAX_VALUE), image.get(SEED));
        filter.count = image.get(COUNT, 0, Long.MAX_VALUE);
        filter.numbers = image.get(NUMBERS, 0, filter.capacity);
        image.checkInvariants(filter::checkInvariants);
        return filter;
    }

    void checkInvariants() {
        if (!groups.tally().equals(new GolombGroups.Tally(count, numbers))) {
            throw new IllegalStateException("counts that are not those of the codes");
        }
    }
}
