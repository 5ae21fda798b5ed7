package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.fuse.RibbonFunction;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import java.util.Arrays;

/**
 * The static part of a list: what tells its keys from known others.
 *
 * <pre>
 *   level 1   fingerprints of the keys of the list                         "no" for most others
 *   level 2   one bit for each key of the list, and for each known other
 *             that level 1 takes for a key of the list                      tells these apart, and halves the rest
 * </pre>
 *
 * Fingerprints are as wide as makes both levels together smallest, and wide enough for the rate.
 */
final class ListLevels {

    private static final long CHOICE_SALT = 0xBE5466CF34E90C6CL;

    private final long seed;
    private final long count;
    private final long others;

    /** Bits of level 1; 0 if there is none, and its function is one of no hashes. */
    private final int fingerprintBits;

    private final RibbonFunction first;
    private final boolean hasSecond;
    private final RibbonFunction second;

    /** What a list is of: the seed of its functions and how many keys there are on either side. */
    private record Sides(long seed, long count, long others) {}

    private ListLevels(
            Sides sides, int fingerprintBits, RibbonFunction first, boolean hasSecond, RibbonFunction second) {
        this.seed = sides.seed;
        this.count = sides.count;
        this.others = sides.others;
        this.fingerprintBits = fingerprintBits;
        this.first = first;
        this.hasSecond = hasSecond;
        this.second = second;
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
     * Builds both levels.
     *
     * @param spec its rate is that of keys of which nothing is known
     * @param no keys that are known not to be in the list
     * @throws IllegalArgumentException if a key is in both
     */
    static ListLevels build(FilterSpec spec, HashSource yes, HashSource no) {
        long[] listed = Entries.of(EntrySource.of(yes, 0)).hashes();
        double othersPerKey = listed.length == 0 ? 0 : (double) no.count() / listed.length;
        int bits = fingerprintBits(spec, othersPerKey, no.count() > 0);
        long seed = spec.seed();
        RibbonFunction first = bits == 0
                ? nothing(seed)
                : RibbonFunction.build(listed, hash -> (int) Signatures.of(hash, seed, bits), bits, seed);
        long[] taken = takenForListed(no, listed, bits, first, seed);
        boolean hasSecond = no.count() > 0;
        RibbonFunction second = hasSecond ? second(listed, taken, seed) : nothing(seed);
        return new ListLevels(new Sides(seed, listed.length, no.count()), bits, first, hasSecond, second);
    }

    private static RibbonFunction nothing(long seed) {
        return RibbonFunction.build(new long[0], hash -> 0, 1, seed);
    }

    /** The known others that level 1 takes for keys of the list, ascending, each once. */
    private static long[] takenForListed(HashSource no, long[] listed, int bits, RibbonFunction first, long seed) {
        long[][] taken = {new long[16]};
        int[] size = {0};
        no.forEach(hash -> {
            if (listed.length > 0 && (bits == 0 || first.maps(hash, Signatures.of(hash, seed, bits)))) {
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

    private static RibbonFunction second(long[] listed, long[] taken, long seed) {
        long[] all = Arrays.copyOf(listed, listed.length + taken.length);
        System.arraycopy(taken, 0, all, listed.length, taken.length);
        return RibbonFunction.build(
                all, hash -> choice(hash, seed) ^ (Arrays.binarySearch(listed, hash) >= 0 ? 1 : 0), 1, ~seed);
    }

    /** A bit of a hash, so that what level 2 says of unknown keys is even. */
    private static int choice(long hash, long seed) {
        return (int) (Mix.mix((hash ^ CHOICE_SALT) + seed) >>> 63);
    }

    /** Whether a hash is that of a key of the list, as far as the levels know. */
    boolean mightContainHash(long hash) {
        if (count == 0) {
            return false;
        }
        if (fingerprintBits > 0 && !first.maps(hash, Signatures.of(hash, seed, fingerprintBits))) {
            return false;
        }
        return !hasSecond || second.maps(hash, choice(hash, seed) ^ 1);
    }

    long count() {
        return count;
    }

    long otherCount() {
        return others;
    }

    long sizeInBits() {
        return first.sizeInBits() + second.sizeInBits();
    }

    double expectedFpp() {
        return count == 0 ? 0 : Math.scalb(1.0, -fingerprintBits - (hasSecond ? 1 : 0));
    }

    /** The fields of the levels in the form of a kind. */
    static final class Fields {

        /** What a form says of its parts. */
        static final String PARTS =
                "the functions of level 1 and of level 2, as far as there are, with the form ribbon-function";

        private final ImageForm form;
        private final LongField seed;
        private final LongField count;
        private final LongField others;
        private final LongField fingerprintBits;
        private final LongField level2;

        /** Declares the fields. */
        Fields(ImageForm form) {
            this.form = form;
            this.seed = form.whole("seed", "what the functions are drawn from");
            this.count = form.whole("count", "keys of the list");
            this.others = form.whole("others", "known keys that are not in the list");
            this.fingerprintBits = form.whole(
                    "fingerprintBits", "bits of a fingerprint of level 1, 0 to 32; 0 if there is no level 1");
            this.level2 = form.whole("level2", "1 if there is a level 2, else 0");
        }

        /** Begins an image with the levels: their fields and their parts. */
        ImageForm.Writer write(ListLevels levels) {
            ImageForm.Writer writer = form.write()
                    .set(seed, levels.seed)
                    .set(count, levels.count)
                    .set(others, levels.others)
                    .set(fingerprintBits, levels.fingerprintBits)
                    .set(level2, levels.hasSecond ? 1 : 0);
            if (levels.fingerprintBits > 0) {
                writer.part(levels.first.image());
            }
            if (levels.hasSecond) {
                writer.part(levels.second.image());
            }
            return writer;
        }

        /** The levels of an image, whose parts come first. */
        ListLevels read(FilterImage image, FilterImage.Parts parts) {
            Sides sides = new Sides(
                    image.get(seed), image.get(count, 0, Entries.MOST_ENTRIES), image.get(others, 0, Long.MAX_VALUE));
            int bits = (int) image.get(fingerprintBits, 0, Signatures.WIDEST);
            boolean hasSecond = image.get(level2, 0, 1) != 0;
            RibbonFunction first =
                    bits > 0 ? RibbonFunction.read(parts.next(RibbonFunction.FORM)) : nothing(sides.seed);
            RibbonFunction second =
                    hasSecond ? RibbonFunction.read(parts.next(RibbonFunction.FORM)) : nothing(sides.seed);
            // Where there is nothing to tell keys from, and no fingerprints were asked for, no level is needed.
            image.check(bits > 0 || hasSecond || sides.others == 0, "a list without levels");
            image.check(bits == 0 || first.width() == bits, "fingerprints of another width");
            image.check(bits == 0 || first.count() == sides.count, "fingerprints of other keys");
            image.check(second.width() == 1, "a level 2 that is more than a bit");
            boolean isAsked = hasSecond && sides.count > 0;
            image.check(
                    isAsked ? second.count() >= sides.count : second.count() == 0,
                    "a level 2 that does not know all keys");
            return new ListLevels(sides, bits, first, hasSecond, second);
        }
    }
}
