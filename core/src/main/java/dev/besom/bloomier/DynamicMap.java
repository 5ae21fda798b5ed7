package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MutableLongApproximateMap;
import dev.besom.bits.FastRange;
import dev.besom.compact.GolombGroups;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentMap;

/**
 * A map whose entries come and go.
 *
 * <pre>
 *   hash --mix--&gt; signature below capacity / fpp
 *
 *   signatures   compressed set of  | signature | value |      one entry for a signature
 *   whole keys   hashes with their values: those whose signature was taken when they came
 * </pre>
 *
 * A query looks among the whole keys first. So a key always gets its own value: if it is not there it came first to its
 * signature, and none that came later has changed that. A removal takes a key from where it is.
 *
 * <p>Departure from the survey, which leaves open how signatures are stored: as Golomb-coded numbers with the value as their
 * lowest bits ({@link GolombGroups}).
 *
 * <p>Cost: {@code log2(e / fpp)} + value bits a key and about half a bit, and 160 to 180 bits for each whole key, of which
 * there are {@code fpp / 2} for each key. A query decodes half a block of 80 to 160 keys; a change moves up to two kilobytes and
 * more with wide values. Not safe for concurrent use.
 *
 * <p>C. W. Mortensen, R. Pagh and M. Pătraşcu: On dynamic range reporting in one dimension. STOC 2005; the form is that of the
 * survey of Bloom filters.
 */
public final class DynamicMap implements MutableLongApproximateMap, PersistentMap {

    static final String KIND = "bloomier-dynamic";

    private static final long SEED_SALT = 0x6A09E667F3BCC909L;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField VALUE_BITS = FORM.whole("valueBits", "bits of a value, 1 to 32");
    private static final LongField CAPACITY = FORM.whole("capacity", "most entries");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final LongField SIGNATURES = FORM.whole("signatures", "entries that are known by their signature");
    private static final Section WHOLE =
            FORM.section("whole", "hashes of whole keys and their values in turn, ascending");

    static {
        FORM.parts("signatures and values, with the form golomb-groups");
    }

    private final GolombGroups groups;
    private final WholeKeys whole;
    private final int valueBits;
    private final long capacity;
    private final long seed;
    private final long signatureRange;
    private long signatures;

    private DynamicMap(GolombGroups groups, WholeKeys whole, int valueBits, long capacity, long seed) {
        this.groups = groups;
        this.whole = whole;
        this.valueBits = valueBits;
        this.capacity = capacity;
        this.seed = seed;
        this.signatureRange = groups.range() >>> valueBits;
    }

    /** An empty map; the option {@code valueBits} is the width of a value, 8 bits where it is not set. */
    static DynamicMap make(FilterSpec spec) {
        return make(spec, (int) spec.option("valueBits", 8, 1, Entries.MOST_VALUE_BITS));
    }

    private static DynamicMap make(FilterSpec spec, int valueBits) {
        return new DynamicMap(
                GolombGroups.make(spec.capacity(), spec.fpp(), valueBits),
                new WholeKeys(),
                valueBits,
                spec.capacity(),
                spec.seed());
    }

    static DynamicMap build(FilterSpec spec, EntrySource source) {
        Entries entries = Entries.of(source);
        FilterSpec sized = spec.withCapacity(Math.max(spec.capacity(), entries.count()));
        DynamicMap map = make(sized, entries.valueBits(spec));
        for (int i = 0; i < entries.count(); i++) {
            map.putHash(entries.hashes()[i], entries.value(i));
        }
        return map;
    }

    private long signature(long hash) {
        return FastRange.place(Mix.mix(hash + seed + SEED_SALT), signatureRange);
    }

    /** The signature of a hash with the value that belongs to it above it, or -1. */
    private long entry(long hash) {
        long least = signature(hash) << valueBits;
        long found = groups.ceiling(least);
        return found >= 0 && found >>> valueBits == least >>> valueBits ? found : -1;
    }

    @Override
    public long valueOfHash(long hash) {
        long value = whole.get(hash);
        if (value != ABSENT) {
            return value;
        }
        long entry = entry(hash);
        return entry < 0 ? ABSENT : entry & ((1L << valueBits) - 1);
    }

    @Override
    public boolean putHash(long hash, long value) {
        Entries.checkValue(value, valueBits);
        if (count() >= capacity) {
            throw new FilterFullException("a map is full with " + count() + " entries");
        }
        if (entry(hash) >= 0 || whole.get(hash) != ABSENT) {
            whole.add(hash, value);
            return false;
        }
        groups.insert(signature(hash) << valueBits | value);
        signatures++;
        return true;
    }

    @Override
    public boolean replaceHash(long hash, long value) {
        Entries.checkValue(value, valueBits);
        if (whole.get(hash) != ABSENT) {
            whole.put(hash, value);
            return true;
        }
        long entry = entry(hash);
        if (entry < 0) {
            return false;
        }
        groups.delete(entry);
        try {
            groups.insert(signature(hash) << valueBits | value);
        } catch (FilterFullException e) {
            // With another value a code may be a bit longer, and a crowded block lack that bit.
            signatures--;
            whole.put(hash, value);
        }
        return true;
    }

    @Override
    public boolean removeHash(long hash) {
        if (whole.remove(hash)) {
            return true;
        }
        long entry = entry(hash);
        if (entry < 0) {
            return false;
        }
        groups.delete(entry);
        signatures--;
        return true;
    }

    @Override
    public int valueBits() {
        return valueBits;
    }

    @Override
    public long count() {
        return signatures + whole.count();
    }

    /** How many keys are kept whole. */
    int wholeCount() {
        return whole.count();
    }

    @Override
    public long sizeInBits() {
        return groups.sizeInBits() + whole.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return (double) signatures / signatureRange;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(VALUE_BITS, valueBits)
                .set(CAPACITY, capacity)
                .set(SEED, seed)
                .set(SIGNATURES, signatures)
                .set(WHOLE, whole.section())
                .part(groups.image())
                .image();
    }

    static DynamicMap read(FilterImage image) {
        FORM.check(image);
        int valueBits = (int) image.get(VALUE_BITS, 1, Entries.MOST_VALUE_BITS);
        FilterImage.Parts parts = image.parts(FORM);
        GolombGroups groups = GolombGroups.read(parts.next(GolombGroups.FORM));
        parts.end();
        image.check(
                groups.range() >>> valueBits > 0 && (groups.range() & ((1L << valueBits) - 1)) == 0,
                "numbers without room for values");
        WholeKeys whole = WholeKeys.read(image, WHOLE, valueBits);
        DynamicMap map =
                new DynamicMap(groups, whole, valueBits, image.get(CAPACITY, 1, Long.MAX_VALUE), image.get(SEED));
        map.signatures = image.get(SIGNATURES, 0, map.capacity);
        image.checkInvariants(map::checkInvariants);
        return map;
    }

    void checkInvariants() {
        if (!groups.tally().equals(new GolombGroups.Tally(signatures, signatures))) {
            throw new IllegalStateException("a number of signatures that is not that of the codes");
        }
    }
}
