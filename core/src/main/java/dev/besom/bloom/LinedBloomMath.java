package dev.besom.bloom;

import dev.besom.math.LastResult;

/**
 * The scheme {@link IndexScheme#LINES} in numbers: Bloom filters whose bits lie in groups of three in a cache line, bits a and b in one
 * word and bit c in any word of the line; {@link LinedWords} has the picture.
 *
 * <p>A filter of very many words gets the groups of {@code d} keys a word, Poisson distributed. A group leaves {@code i} bits of one
 * word and {@code j} of another word of its line alone, all of them, but for a chance of t(i, j) over the number of words:
 *
 * <pre>
 *   t(i, j) = 2 - ((1 - i/64)^2 + (1 - j/64)^2) (1 - (i + j)/512)  +  6 (i + j)/512
 *              a, b in either word                 c in one of them     c from the other six words
 * </pre>
 *
 * so that none of them is set with probability q(i, j) = exp(-d t(i, j)) for each group of a key, and all of them are set with
 * the alternating sum of q over their subsets. A query's bits may coincide, which is counted as well.
 */
public final class LinedBloomMath {

    private static final double WORD_BITS = Long.SIZE;
    private static final double LINE_WORDS = LinedWords.LINE_WORDS;
    private static final double LINE_BITS = LINE_WORDS * WORD_BITS;

    /** Halvings of an interval of densities: more than a double has digits for. */
    private static final int HALVINGS = 64;

    /** More bits a key than any filter that can be made. */
    private static final double MOST_BITS_PER_KEY = 0x1p40;

    /** To halve an interval so often takes some tens of microseconds. */
    private static final LastResult<Wanted, Double> SIZES = new LastResult<>(LinedBloomMath::find);

    private LinedBloomMath() {}

    /** The bits a key with which that many probes give that false-positive rate, for many keys. */
    public static double bitsPerKey(double fpp, int probes) {
        return SIZES.of(new Wanted(fpp, probes));
    }

    /** The arguments of {@link #bitsPerKey}. */
    private record Wanted(double fpp, int probes) {}

    private static double find(Wanted wanted) {
        double fpp = wanted.fpp;
        int probes = wanted.probes;
        double anywhere = BloomMath.bitsPerKey(fpp, probes);
        // A little more, but where nearly all bits are set: two of a word that are the same bit then leave more unset.
        double low = anywhere / 2;
        double high = anywhere;
        while (fpp(high, probes) > fpp && high < MOST_BITS_PER_KEY) {
            high *= 2;
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (fpp(middle, probes) > fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The bits with which that many probes give that rate for that many keys: whole lines. */
    public static long bits(long keys, double fpp, int probes) {
        double lines = Math.ceil(keys * bitsPerKey(fpp, probes) / LINE_BITS);
        return (long) (Math.max(1, lines) * LINE_BITS);
    }

    /** The false-positive rate that is expected of a filter of so many bits a key, for many keys. */
    public static double fpp(double bitsPerKey, int probes) {
        Groups groups = new Groups(WORD_BITS / bitsPerKey, probes / LinedWords.GROUP, probes % LinedWords.GROUP);
        return Math.pow(groups.threeSet(), groups.full) * groups.restSet();
    }

    /** How many different keys most likely set that many bits; see {@link BloomMath#keysFromFill}. */
    static double keysFromFill(long bits, long setBits, int probes) {
        double words = bits / WORD_BITS;
        int groups = probes / LinedWords.GROUP;
        // Logarithms of the chances that a bit is left alone: each group draws its line anew.
        double keptByGroup = Math.log1p(-new Groups(1, 1, 0).touched(1, 0) / words);
        double keptByRest = Math.log1p(-new Groups(1, 0, probes % LinedWords.GROUP).touched(1, 0) / words);
        double keptByKey = groups * keptByGroup + keptByRest;
        return Math.log1p(-(double) setBits / bits) / keptByKey;
    }

    /**
     * Keys in a filter.
     *
     * @param keysPerWord d
     * @param full groups of three bits that a key has
     * @param rest bits of its last group, if that has fewer
     */
    private record Groups(double keysPerWord, int full, int rest) {

        /** The chance, times the number of words, that a key sets one of so many bits of a word and of another of its line. */
        double touched(int own, int other) {
            double ownMissed = (1 - own / WORD_BITS) * (1 - own / WORD_BITS);
            double otherMissed = (1 - other / WORD_BITS) * (1 - other / WORD_BITS);
            double both = own + other;
            double byGroup =
                    2 - (ownMissed + otherMissed) * (1 - both / LINE_BITS) + (LINE_WORDS - 2) * both / LINE_BITS;
            double byRest = rest == 0 ? 0 : rest == 1 ? both / WORD_BITS : 2 - ownMissed - otherMissed;
            return full * byGroup + byRest;
        }

        /** The chance that so many bits of a word and so many, at most one, of another of its line are all set. */
        private double allSet(int own, int other) {
            double sum = 0;
            double ways = 1;
            for (int i = 0; i <= own; i++) {
                double sign = i % 2 == 0 ? 1 : -1;
                for (int j = 0; j <= other; j++) {
                    double unset = Math.exp(-keysPerWord * touched(i, j));
                    sum += (j == 0 ? sign : -sign) * ways * unset;
                }
                ways = ways * (own - i) / (i + 1);
            }
            // Bits of one line are set together rather than apart. Where they hardly ever are, the sum has no digits
            // left.
            return Math.max(sum, Math.pow(-Math.expm1(-keysPerWord * touched(1, 0)), own + other));
        }

        double threeSet() {
            double same = 1 / WORD_BITS;
            double inTwoWords = (1 - same) * allSet(2, 1) + same * allSet(1, 1);
            double inOneWord = (1 - same) * (1 - 2 * same) * allSet(3, 0)
                    + 3 * same * (1 - same) * allSet(2, 0)
                    + same * same * allSet(1, 0);
            return inTwoWords + (inOneWord - inTwoWords) / LINE_WORDS;
        }

        double restSet() {
            double same = 1 / WORD_BITS;
            return switch (rest) {
                case 0 -> 1;
                case 1 -> allSet(1, 0);
                default -> (1 - same) * allSet(2, 0) + same * allSet(1, 0);
            };
        }
    }
}
