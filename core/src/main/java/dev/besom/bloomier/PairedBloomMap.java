package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.PersistentMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A static map made of Bloom filters: for each bit of a value, pairs of them tell the keys with 0 from those with 1. The
 * picture is in {@link BloomPairs}.
 *
 * <p>A key is absent if it is for any of the bits, so filters of wide values may be less accurate, each by its share of the
 * rate; at most one in eight keys of one filter may be claimed by the other, for nearly all space to be that of the first pair.
 *
 * <p>Departure from the survey: values are known when the map is built, for {@link BloomPairs} says why.
 *
 * <p>Cost: {@code 1.44 log2(2 / fpp)} bits a key for values of one bit. Most queries are told by the first pair of each bit.
 *
 * <p>B. Chazelle, J. Kilian, R. Rubinfeld, A. Tal: The Bloomier filter: an efficient data structure for static support lookup
 * tables. SODA 2004.
 */
public final class PairedBloomMap implements PersistentMap {

    static final String KIND = "bloomier-pairs";

    private static final double LEAST_ACCURATE = 0.125;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField VALUE_BITS = FORM.whole("valueBits", "bits of a value, 1 to 32");
    private static final LongField COUNT = FORM.whole("count", "different keys");

    static {
        FORM.parts(
                "for each bit of a value, the lowest first: a part with the form bloom-pairs, then the Bloom filters of each"
                        + " level, of the keys with 0 and of those with 1");
    }

    private final List<BloomPairs> bits;
    private final long count;

    private PairedBloomMap(List<BloomPairs> bits, long count) {
        this.bits = bits;
        this.count = count;
    }

    static PairedBloomMap build(FilterSpec spec, EntrySource source) {
        Entries entries = Entries.of(source);
        int valueBits = entries.valueBits(spec);
        double fpp = Math.min(LEAST_ACCURATE, Math.pow(spec.fpp(), 1.0 / valueBits) / 2);
        List<BloomPairs> bits = new ArrayList<>();
        for (int bit = 0; bit < valueBits; bit++) {
            bits.add(BloomPairs.build(entries, bit, fpp, spec.seed()));
        }
        return new PairedBloomMap(bits, entries.count());
    }

    @Override
    public long valueOfHash(long hash) {
        long value = 0;
        for (int bit = 0; bit < bits.size(); bit++) {
            long found = bits.get(bit).bitOfHash(hash);
            if (found == ABSENT) {
                return ABSENT;
            }
            value |= found << bit;
        }
        return value;
    }

    @Override
    public int valueBits() {
        return bits.size();
    }

    /** The pairs of one bit. */
    BloomPairs pairs(int bit) {
        return bits.get(bit);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return Math.max(
                Long.SIZE, bits.stream().mapToLong(BloomPairs::sizeInBits).sum());
    }

    @Override
    public double expectedFpp() {
        double rate = 1;
        for (BloomPairs pairs : bits) {
            rate *= pairs.expectedFpp();
        }
        return rate;
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = FORM.write().set(VALUE_BITS, bits.size()).set(COUNT, count);
        bits.forEach(pairs -> pairs.images().forEach(writer::part));
        return writer.image();
    }

    static PairedBloomMap read(FilterImage image) {
        FORM.check(image);
        long valueBits = image.get(VALUE_BITS, 1, Entries.MOST_VALUE_BITS);
        FilterImage.Parts parts = image.parts(FORM);
        List<BloomPairs> bits = new ArrayList<>();
        for (int bit = 0; bit < valueBits; bit++) {
            bits.add(BloomPairs.read(parts));
        }
        parts.end();
        return new PairedBloomMap(bits, image.get(COUNT, 0, Long.MAX_VALUE));
    }
}
