package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.fuse.PerfectHash;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentMap;
import java.util.Arrays;
import java.util.Objects;

/**
 * A static map by a minimal perfect hash function: each key has a slot of its own in an array of fingerprints and values that
 * has no free slots.
 *
 * <pre>
 *   key --perfect hash--&gt; i        slots   | v f | v f | ... | v f |      slot i: fingerprint and value of the key
 * </pre>
 *
 * <p>Cost: fingerprint + value + 2.4 bits a key, which is less than {@link FuseMap} takes where the two are 20 bits or more. A query
 * reads three places of the function, a count, and the slot. Building takes 32 bytes a key.
 *
 * <p>The survey of Bloom filters names this way; F. C. Botelho, R. Pagh and N. Ziviani: Simple and space-efficient minimal
 * perfect hash functions. WADS 2007.
 */
public final class PerfectHashMap implements PersistentMap {

    static final String KIND = "bloomier-perfect";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField VALUE_BITS = FORM.whole("valueBits", "bits of a value, 1 to 32");
    private static final LongField FINGERPRINT_BITS = FORM.whole("fingerprintBits", "bits of a fingerprint, 1 to 32");
    private static final LongField SEED = FORM.whole("seed", "what fingerprints are drawn from");
    private static final Section SLOTS =
            FORM.section("slots", "the value above the fingerprint, packed; and a word of 0");

    static {
        FORM.parts("the function, with the form perfect-hash");
    }

    private final PerfectHash function;
    private final PackedArray slots;
    private final SignedValues values;

    private PerfectHashMap(PerfectHash function, PackedArray slots, SignedValues values) {
        this.function = function;
        this.slots = slots;
        this.values = values;
    }

    static PerfectHashMap build(FilterSpec spec, EntrySource source) {
        Entries entries = Entries.of(source);
        SignedValues values = new SignedValues(Signatures.bits(spec), spec.seed());
        long[] hashes = entries.hashes();
        PerfectHash function = PerfectHash.build(hashes, spec.seed());
        PackedArray slots = new PackedArray(hashes.length, values.signatureBits + entries.valueBits(spec));
        for (int i = 0; i < hashes.length; i++) {
            slots.set(function.indexOf(hashes[i]), values.slot(hashes[i], entries.value(i)));
        }
        return new PerfectHashMap(function, slots, values);
    }

    @Override
    public long valueOfHash(long hash) {
        long index = function.indexOf(hash);
        return index < 0 ? ABSENT : values.valueOf(hash, slots.get(index));
    }

    @Override
    public void valuesOfHashes(long[] hashes, int from, int hashCount, long[] result) {
        Objects.checkFromIndexSize(from, hashCount, hashes.length);
        Objects.checkFromIndexSize(0, hashCount, result.length);
        Bitmaps.checkOther(hashes, hashCount, result);
        if (count() == 0) {
            Arrays.fill(result, 0, hashCount, ABSENT);
            return;
        }
        // In loops of their own the reads of different hashes overlap.
        for (int i = 0; i < hashCount; i++) {
            result[i] = function.indexOf(hashes[from + i]);
        }
        for (int i = 0; i < hashCount; i++) {
            result[i] = values.valueOf(hashes[from + i], slots.get(result[i]));
        }
    }

    @Override
    public int valueBits() {
        return slots.widthInBits() - values.signatureBits;
    }

    @Override
    public long count() {
        return function.count();
    }

    @Override
    public long sizeInBits() {
        return function.sizeInBits() + slots.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return count() == 0 ? 0 : values.expectedFpp();
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(VALUE_BITS, valueBits())
                .set(FINGERPRINT_BITS, values.signatureBits)
                .set(SEED, values.seed)
                .set(SLOTS, slots.words())
                .part(function.image())
                .image();
    }

    static PerfectHashMap read(FilterImage image) {
        FORM.check(image);
        int fingerprintBits = (int) image.get(FINGERPRINT_BITS, 1, Signatures.WIDEST);
        int width = fingerprintBits + (int) image.get(VALUE_BITS, 1, Entries.MOST_VALUE_BITS);
        FilterImage.Parts parts = image.parts(FORM);
        PerfectHash function = PerfectHash.read(parts.next(PerfectHash.FORM));
        parts.end();
        long[] words = image.get(SLOTS);
        image.check(
                function.count() <= (Words.MAX_COUNT - 1) * Long.SIZE / width
                        && Words.count(words) == PackedArray.wordCount(function.count(), width),
                "a wrong number of slots");
        PackedArray slots = image.checked(() -> PackedArray.checked(words, function.count(), width));
        return new PerfectHashMap(function, slots, new SignedValues(fingerprintBits, image.get(SEED)));
    }
}
