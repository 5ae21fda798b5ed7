package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.Words;
import dev.besom.fuse.FuseFunction;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;

/**
 * A list of keys beside known keys that are not in it, such as blocked and allowed sites: a static filter that answers "maybe"
 * for every key of the list and "no" for every known other, without an error. Keys of which nothing is known are false positives
 * at a rate, as in any filter.
 *
 * <pre>
 *   level 1   fingerprints of the keys of the list                         "no" for most others
 *   level 2   one bit for each key of the list, and for each known other
 *             that level 1 takes for a key of the list                      tells these apart, and halves the rest
 *   changes   hashes whose answers a patch has changed, with the answers     before all else
 * </pre>
 *
 * Fingerprints are as wide as makes both levels together smallest, and wide enough for the rate.
 *
 * <p>Departure from cascades of Bloom filters, in which each level holds the false positives of the one before: two levels
 * suffice where the second is a function that is right for all keys it was made for.
 *
 * <p>Cost: with {@code r} known others for each key of the list, {@code 1.075 (k + 1 + r / 2^k)} bits a key of the list, for the
 * best {@code k}. That is 14 % over the bound for
 * {@code r = 100} and a million keys; with 20,000 keys, for which an array of fingerprints has more room to spare, 25 %.
 *
 * <p>J. Larisch, D. Choffnes, D. Levin, B. M. Maggs, A. Mislove, C. Wilson: CRLite: a scalable system for pushing all TLS
 * revocations to all browsers. S&amp;P 2017. M. Dietzfelbinger and R. Pagh: Succinct data structures for retrieval and approximate
 * membership. ICALP 2008.
 */
public final class ExactList implements PersistentFilter {

    static final String KIND = "exact-list";

    private static final long CHOICE_SALT = 0xBE5466CF34E90C6CL;

    /** Slots for each key of a function with four slots a key. */
    private static final int ARITY = 4;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField COUNT = FORM.whole("count", "keys of the list");
    private static final LongField OTHERS = FORM.whole("others", "known keys that are not in the list");
    private static final LongField FINGERPRINT_BITS =
            FORM.whole("fingerprintBits", "bits of a fingerprint of level 1, 0 to 32; 0 if there is no level 1");
    private static final LongField LEVELS = FORM.whole("level2", "1 if there is a level 2, else 0");
    private static final Section CHANGED = FORM.section("changed", "hashes with another answer, ascending");
    private static final Section ANSWERS = FORM.section("answers", "their answers, a bit each, lowest first");

    static {
        FORM.parts("the functions of level 1 and of level 2, as far as there are, with the form fuse-function");
    }

    private final long seed;
    private final long count;
    private final long others;
    private final Levels levels;
    private final Changes changes;

    /**
     * The static part.
     *
     * @param fingerprintBits of level 1; 0 if there is none
     * @param first level 1; a function of no hashes if there is none
     * @param hasSecond whether there is a level 2
     * @param second level 2
     */
    private record Levels(int fingerprintBits, FuseFunction first, boolean hasSecond, FuseFunction second) {}

    private ExactList(long seed, long count, long others, Levels levels, Changes changes) {
        this.seed = seed;
        this.count = count;
        this.others = others;
        this.levels = levels;
        this.changes = changes;
    }

    /** The bits a key of a list and what it takes to tell it from known others, by the width of fingerprints. */
    static double bitsPerKey(int fingerprintBits, double othersPerKey) {
        return fingerprintBits + 1 + Math.scalb(othersPerKey, -fingerprintBits);
    }

    private static int fingerprintBits(FilterSpec spec, double othersPerKey, boolean hasSecond) {
        double least = -Math.log(spec.fpp()) / Math.log(2) - 1e-9 - (hasSecond ? 1 : 0);
        if (least > Signatures.WIDEST) {
            throw new IllegalArgumentException("fingerprints of 32 bits have no rate such as " + spec.fpp());
        }
        int bits = Math.max(0, (int) Math.ceil(least));
        while (bits < Signatures.WIDEST && bitsPerKey(bits + 1, othersPerKey) < bitsPerKey(bits, othersPerKey)) {
            bits++;
        }
        return (int) spec.option("fingerprintBits", bits, 0, Signatures.WIDEST);
    }

    /**
     * Builds a list.
     *
     * @param spec its rate is that of keys of which nothing is known
     * @param no keys that are known not to be in the list
     * @throws IllegalArgumentException if a key is in both
     */
    static ExactList build(FilterSpec spec, HashSource yes, HashSource no) {
        long[] listed = Entries.of(EntrySource.of(yes, 0)).hashes();
        double othersPerKey = listed.length == 0 ? 0 : (double) no.count() / listed.length;
        int bits = fingerprintBits(spec, othersPerKey, no.count() > 0);
        long seed = spec.seed();
        FuseFunction first = bits == 0
                ? nothing(seed)
                : FuseFunction.build(listed, i -> Signatures.of(listed[i], seed, bits), bits, ARITY, seed);
        long[] taken = takenForListed(no, listed, bits, first, seed);
        boolean hasSecond = no.count() > 0;
        FuseFunction second = hasSecond ? second(listed, taken, seed) : nothing(seed);
        return new ExactList(seed, listed.length, no.count(), new Levels(bits, first, hasSecond, second), Changes.NONE);
    }

    private static FuseFunction nothing(long seed) {
        return FuseFunction.build(new long[0], i -> 0, 1, ARITY, seed);
    }

    /** The known others that level 1 takes for keys of the list, ascending, each once. */
    private static long[] takenForListed(HashSource no, long[] listed, int bits, FuseFunction first, long seed) {
        long[][] taken = {new long[16]};
        int[] size = {0};
        no.forEach(hash -> {
            if (listed.length > 0 && (bits == 0 || first.get(hash) == Signatures.of(hash, seed, bits))) {
                if (Arrays.binarySearch(listed, hash) >= 0) {
                    throw new IllegalArgumentException("a key is both in the list and known not to be in it");
                }
                if (size[0] == taken[0].length) {
                    taken[0] = Arrays.copyOf(taken[0], 2 * size[0]);
                }
                taken[0][size[0]++] = hash;
            }
        });
        return Arrays.stream(taken[0], 0, size[0]).sorted().distinct().toArray();
    }

    private static FuseFunction second(long[] listed, long[] taken, long seed) {
        long[] all = Arrays.copyOf(listed, listed.length + taken.length);
        System.arraycopy(taken, 0, all, listed.length, taken.length);
        Arrays.sort(all);
        return FuseFunction.build(
                all, i -> choice(all[i], seed) ^ (Arrays.binarySearch(listed, all[i]) >= 0 ? 1 : 0), 1, ARITY, ~seed);
    }

    /** A bit of a hash, so that what level 2 says of unknown keys is even. */
    private static long choice(long hash, long seed) {
        return Mix.mix((hash ^ CHOICE_SALT) + seed) >>> 63;
    }

    @Override
    public boolean mightContainHash(long hash) {
        int change = changes.answer(hash);
        return change >= 0 ? change == 1 : isListed(hash);
    }

    private boolean isListed(long hash) {
        if (count == 0) {
            return false;
        }
        int bits = levels.fingerprintBits;
        if (bits > 0 && levels.first.get(hash) != Signatures.of(hash, seed, bits)) {
            return false;
        }
        return !levels.hasSecond || (levels.second.get(hash) ^ choice(hash, seed)) == 1;
    }

    /** Keys of the list when it was built. */
    @Override
    public long count() {
        return count;
    }

    /** How many keys are known not to be in the list. */
    public long otherCount() {
        return others;
    }

    @Override
    public long sizeInBits() {
        return levels.first.sizeInBits() + levels.second.sizeInBits() + changes.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return count == 0 ? 0 : Math.scalb(1.0, -levels.fingerprintBits - (levels.hasSecond ? 1 : 0));
    }

    /** The list with other answers for some hashes; the static part is shared. */
    ExactList with(Changes newChanges) {
        return new ExactList(seed, count, others, levels, newChanges);
    }

    Changes changes() {
        return changes;
    }

    /** A number that tells this list from others: of all its parameters and words. */
    long checksum() {
        FilterImage image = image();
        long sum = 0;
        for (int i = 0; i < image.parameterCount(); i++) {
            sum = Mix.mix(sum + image.parameter(i) + 1);
        }
        for (long[] section : image.sections()) {
            for (int i = Words.LEAD; i < section.length; i++) {
                sum = Mix.mix(sum + section[i] + 1);
            }
        }
        return sum;
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = FORM.write()
                .set(SEED, seed)
                .set(COUNT, count)
                .set(OTHERS, others)
                .set(FINGERPRINT_BITS, levels.fingerprintBits)
                .set(LEVELS, levels.hasSecond ? 1 : 0)
                .set(CHANGED, changes.hashSection())
                .set(ANSWERS, changes.answerSection());
        if (levels.fingerprintBits > 0) {
            writer.part(levels.first.image());
        }
        if (levels.hasSecond) {
            writer.part(levels.second.image());
        }
        return writer.image();
    }

    static ExactList read(FilterImage image) {
        FORM.check(image);
        long seed = image.get(SEED);
        int bits = (int) image.get(FINGERPRINT_BITS, 0, Signatures.WIDEST);
        boolean hasSecond = image.get(LEVELS, 0, 1) != 0;
        FilterImage.Parts parts = image.parts(FORM);
        FuseFunction first = bits > 0 ? FuseFunction.read(parts.next(FuseFunction.FORM)) : nothing(seed);
        FuseFunction second = hasSecond ? FuseFunction.read(parts.next(FuseFunction.FORM)) : nothing(seed);
        parts.end();
        image.check(bits == 0 || first.width() == bits, "fingerprints of another width");
        image.check(second.width() == 1, "a level 2 that is more than a bit");
        long others = image.get(OTHERS, 0, Long.MAX_VALUE);
        // Where there is nothing to tell keys from, and no fingerprints were asked for, no level is needed.
        boolean hasLevels = bits > 0 || hasSecond;
        image.check(hasLevels || others == 0, "a list without levels");
        long most = bits > 0 ? first.slotCount() : second.slotCount();
        long count = image.get(COUNT, 0, hasLevels ? most : Long.MAX_VALUE);
        image.check(count > 0 || first.slotCount() + second.slotCount() == 0, "levels of no keys");
        Changes changes = Changes.read(image, CHANGED, ANSWERS);
        return new ExactList(seed, count, others, new Levels(bits, first, hasSecond, second), changes);
    }
}
