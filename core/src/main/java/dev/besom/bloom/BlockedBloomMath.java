package dev.besom.bloom;

import dev.besom.math.Entropy;
import dev.besom.math.Gamma;
import dev.besom.math.LastResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocked Bloom filters in numbers. A block is {@code w} words of 64 bits, eight or four, in {@code g} groups. Each key goes to
 * one block and there, for each group, to one word of it, in which it sets {@code b} different bits.
 *
 * <p>A fresh query is a false positive if in each group the bits it needs are set by the keys that went to the same word.
 * Each of the {@code i} keys of a block goes to that word with probability g/w, independently in each group, and chooses b
 * bits out of 64 there: the chance that all of them together cover b given places follows by inclusion and exclusion. i
 * itself is binomial, for many blocks Poisson.
 *
 * <p>Keys choose their bits by one of 1024 masks ({@link BlockedMasks}), so which places are covered together is counted in the
 * masks themselves ({@link CoverTerms}).
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009, with one group.
 */
public final class BlockedBloomMath {

    /** Words of a block that is a cache line. */
    static final int LINE_WORDS = 8;

    /** Words of a block that is half of one. */
    static final int HALF_LINE_WORDS = 4;

    private static final int WORD_BITS = Long.SIZE;

    /** With more the sums leave the range of a double, and the rate is far above one half anyway. */
    public static final double MOST_KEYS_PER_BLOCK = 512;

    /** Bits a key are searched up to here: enough for a rate of 1e-6. */
    private static final double MAX_BITS_PER_KEY = 512;

    /** With more bits a word is full before the rate gets lower. */
    public static final int MAX_BITS_PER_GROUP = 6;

    /** How much larger than with four groups a filter may be for the sake of only two. */
    private static final double SPACE_FOR_GROUPS = 1.04;

    /** How exact a size is: to one part in so many. */
    private static final double TOLERANCE = 1e-4;

    /** To find a shape takes some hundred microseconds. */
    private static final LastResult<Wanted, Shape> SHAPES = new LastResult<>(BlockedBloomMath::find);

    private BlockedBloomMath() {}

    /**
     * How a block is divided.
     *
     * @param words of 64 bits: 8 or 4
     * @param groups 1, 2 or 4
     */
    public record Block(int words, int groups) {

        /** The bits of a block. */
        public int bits() {
            return words * WORD_BITS;
        }

        /** A block of a cache line in so many groups. */
        public static Block line(int groups) {
            return new Block(LINE_WORDS, groups);
        }
    }

    /** The false-positive rate with blocks of a cache line; see {@link #fpp(double, Block, int)}. */
    public static double fpp(double keysPerBlock, int groups, int bitsPerGroup) {
        return fpp(keysPerBlock, Block.line(groups), bitsPerGroup);
    }

    /**
     * The false-positive rate.
     *
     * @param keysPerBlock on average, at most {@link #MOST_KEYS_PER_BLOCK}
     * @param bitsPerGroup that each key sets
     */
    public static double fpp(double keysPerBlock, Block block, int bitsPerGroup) {
        return fpp(keysPerBlock, block, CoverTerms.ofMasks(bitsPerGroup));
    }

    /** {@link #fpp(double, int, int)} of keys that choose any bits, not one of some masks. */
    public static double fppOfAnyBits(double keysPerBlock, int groups, int bitsPerGroup) {
        return fpp(keysPerBlock, Block.line(groups), CoverTerms.ofAnyBits(bitsPerGroup));
    }

    private static double fpp(double keysPerBlock, Block block, CoverTerms terms) {
        if (!(keysPerBlock > 0 && keysPerBlock <= MOST_KEYS_PER_BLOCK)) {
            throw new IllegalArgumentException(
                    "keys a block must be above 0 and at most " + MOST_KEYS_PER_BLOCK + ", not " + keysPerBlock);
        }
        int most = (int) Math.ceil(keysPerBlock + 9 * Math.sqrt(keysPerBlock) + 16);
        double share = (double) block.groups / block.words;
        // A key leaves a set of places alone in one group with the chance kept, be it that it goes to another word or
        // that it sets
        // other bits.
        double[] weight = terms.weights();
        double[] kept = terms.misses();
        for (int i = 0; i < kept.length; i++) {
            kept[i] = 1 - share + share * kept[i];
        }
        double poisson = Math.exp(-keysPerBlock);
        double rate = 0;
        for (int keys = 1; keys <= most; keys++) {
            poisson *= keysPerBlock / keys;
            double inOneGroup = 0;
            for (int i = 0; i < kept.length; i++) {
                weight[i] *= kept[i];
                inOneGroup += weight[i];
            }
            rate += poisson * Math.pow(Math.max(0, inOneGroup), block.groups);
        }
        return rate;
    }

    /**
     * The chance that the mask of a fresh query is covered by a word in which so many bits are set.
     *
     * @param bits of a mask
     */
    public static double coveredByWord(int setBits, int bits) {
        if (setBits < bits) {
            return 0;
        }
        if (setBits == WORD_BITS) {
            return 1;
        }
        // As many keys as most likely have set the bits make the one chance larger than the other by the same factor.
        double keys = Math.log1p(-(double) setBits / WORD_BITS) / Math.log1p(-(double) bits / WORD_BITS);
        return Math.min(
                1,
                ofAnyBits(setBits, bits)
                        * CoverTerms.ofMasks(bits).coveredBy(keys)
                        / CoverTerms.ofAnyBits(bits).coveredBy(keys));
    }

    /** The chance that {@code bits} random different bits of a word are all set, of which so many are. */
    private static double ofAnyBits(int setBits, int bits) {
        return choose(setBits, bits) / choose(WORD_BITS, bits);
    }

    /** The fewest bits a key with blocks of a cache line; see {@link #bitsPerKey(double, Block, int)}. */
    public static double bitsPerKey(double fpp, int groups, int bitsPerGroup) {
        return bitsPerKey(fpp, Block.line(groups), bitsPerGroup);
    }

    /** The fewest bits a key with which such blocks and bits give that rate; infinite if there are none. */
    public static double bitsPerKey(double fpp, Block block, int bitsPerGroup) {
        // The rate falls smoothly with space on a doubly logarithmic scale, where secants find their way in a few
        // steps.
        double low = Math.max(block.bits() / MOST_KEYS_PER_BLOCK, Entropy.bitsPerKey(fpp));
        double high = MAX_BITS_PER_KEY;
        double aboveAtLow = excess(low, fpp, block, bitsPerGroup);
        double aboveAtHigh = excess(high, fpp, block, bitsPerGroup);
        if (aboveAtHigh > 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (aboveAtLow <= 0) {
            return low;
        }
        while (high / low > 1 + TOLERANCE) {
            double share = aboveAtLow / (aboveAtLow - aboveAtHigh);
            double next = low * Math.pow(high / low, Math.min(0.9, Math.max(0.1, share)));
            double above = excess(next, fpp, block, bitsPerGroup);
            if (above > 0) {
                low = next;
                aboveAtLow = above;
                aboveAtHigh /= 2;
            } else {
                high = next;
                aboveAtHigh = above;
                aboveAtLow /= 2;
            }
        }
        return high;
    }

    /**
     * What a key takes.
     *
     * @param groups words of its block
     * @param bitsPerGroup bits of each of these words
     * @param bitsPerKey bits of memory
     */
    public record Shape(int groups, int bitsPerGroup, double bitsPerKey) {}

    /**
     * The terms of the chance that keys cover the bits of a query in one word, of which {@link #fpp} is made.
     *
     * @return pairs of the chance that a key misses some of the bits and of its weight
     */
    public static List<Double> coverTerms(int bitsPerGroup) {
        CoverTerms terms = CoverTerms.ofMasks(bitsPerGroup);
        List<Double> pairs = new ArrayList<>();
        double[] misses = terms.misses();
        double[] weights = terms.weights();
        for (int i = 0; i < misses.length; i++) {
            pairs.add(misses[i]);
            pairs.add(weights[i]);
        }
        return pairs;
    }

    /** The shape for a rate with blocks of a cache line; see {@link #shape(double, int, int, int)}. */
    public static Shape shape(double fpp, int groups, int bitsPerGroup) {
        return shape(fpp, LINE_WORDS, groups, bitsPerGroup);
    }

    /**
     * The shape for a rate.
     *
     * @param blockWords 8 or 4
     * @param groups 2 or 4; 0 for two, unless four make a filter more than four percent smaller
     * @param bitsPerGroup 0 for the number with which a filter is smallest
     */
    public static Shape shape(double fpp, int blockWords, int groups, int bitsPerGroup) {
        return SHAPES.of(new Wanted(fpp, blockWords, groups, bitsPerGroup));
    }

    /** What a shape is wanted for: the arguments of {@link #shape(double, int, int, int)}. */
    private record Wanted(double fpp, int blockWords, int groups, int bitsPerGroup) {

        Shape smallest(int groups) {
            return BlockedBloomMath.smallest(fpp, new Block(blockWords, groups), bitsPerGroup);
        }
    }

    private static Shape find(Wanted wanted) {
        if (wanted.groups != 0) {
            return wanted.smallest(wanted.groups);
        }
        Shape two = wanted.smallest(2);
        Shape four = wanted.smallest(4);
        return two.bitsPerKey > SPACE_FOR_GROUPS * four.bitsPerKey ? four : two;
    }

    private static Shape smallest(double fpp, Block block, int bitsPerGroup) {
        int from = Math.max(1, bitsPerGroup);
        int to = bitsPerGroup == 0 ? MAX_BITS_PER_GROUP : bitsPerGroup;
        Shape best = new Shape(block.groups, from, bitsPerKey(fpp, block, from));
        for (int bits = from + 1; bits <= to; bits++) {
            Shape next = new Shape(block.groups, bits, bitsPerKey(fpp, block, bits));
            if (next.bitsPerKey < best.bitsPerKey) {
                best = next;
            } else if (best.bitsPerKey < Double.POSITIVE_INFINITY) {
                break;
            }
        }
        return best;
    }

    /** By how much the rate is above the one wanted, on a logarithmic scale. */
    private static double excess(double bitsPerKey, double fpp, Block block, int bitsPerGroup) {
        return Math.log(fpp(block.bits() / bitsPerKey, block, bitsPerGroup) / fpp);
    }

    /** How many sets of k of n there are. */
    static double choose(int n, int k) {
        return k > n ? 0 : Math.exp(Gamma.logChoose(n, k));
    }
}
