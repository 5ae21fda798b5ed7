package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;

/**
 * Bits in groups of three, each group in one cache line: two bits of a word, and one of any word of its line.
 *
 * <pre>
 *   step 0  = hash * factor of the seed        step j + 1  = step j, its halves exchanged, * NEXT
 *
 *   step j       | word: the top bits, by fastrange                                       | ... |
 *   step j + 1   | other word 3 | bit c 6 | bit b 6 | bit a 6 | ...                             |      group j
 *                64             61        55        49        43
 *
 *   line         [ word 0 | ... | word: a, b | ... | other word: c | ... | word 7 ]        other word = word xor 0 .. 7
 * </pre>
 *
 * The last group of a hash may have one bit, a, or two, a and b. The upper bits of a product depend on all bits of what is multiplied, the
 * lower ones do not: so nothing is drawn from those. That the same bits of a step choose the bits of one group and the word of the
 * next does no harm: keys that agree in all of the first are too few.
 *
 * <p>Departs from the textbook, in which each bit lies anywhere, for speed: a hit of six bits reads two cache lines instead of six,
 * and one miss in eight gets beyond the first. What it costs is in {@link LinedBloomMath}: lines differ a little in fill, and words
 * a little more, so that at a rate of 1 % a filter is 1.2 percent larger.
 *
 * <p>A query beyond the caches costs as many lines as it reads, and as many instructions: the processor looks so many ahead, and
 * what is not a read takes the place of one. So a step is one multiplication, a word another, and two of three bits come from
 * the same word. All that a query goes through is short and none of it is virtual; see {@link WalkedWords}.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash-, and space-efficient Bloom filters. JEA 14, 2009, have filters of several
 * blocks a key.
 */
final class LinedWords extends ProbedWords {

    /** The bits of a group. */
    static final int GROUP = 3;

    /** The words of a line, and so a filter's size is a multiple of them. */
    static final int LINE_WORDS = 8;

    private static final int BIT_A = 43;
    private static final int BIT_B = 49;
    private static final int BIT_C = 55;
    private static final int OTHER_WORD = 61;

    /** The probes that queries and inserts have written out: those of a filter at 1 %. */
    private static final int WRITTEN_OUT = 2 * GROUP;

    /** Odd, with no pattern in its bits: the fractional part of the square root of 5, as for strides. */
    static final long NEXT = 0x3C6EF372FE94F82BL;

    private final long doubledWordCount;
    private final boolean isFar;

    LinedWords(long[] words, int probes, long seed) {
        super(words, probes, seed);
        this.doubledWordCount = 2 * wordCount;
        this.isFar = Bitmaps.isFar(wordCount * Long.SIZE);
    }

    private long firstStep(long hash) {
        return hash * factor;
    }

    private static long next(long step) {
        return Long.rotateRight(step, 32) * NEXT;
    }

    private int word(long step) {
        return (int) FastRange.placeOfEven(step, doubledWordCount);
    }

    private static int otherWord(int word, long draws) {
        return word ^ (int) (draws >>> OTHER_WORD);
    }

    private long at(int word) {
        return words[word + Words.LEAD];
    }

    /** In its lowest bit: whether the three bits of a group are set, from its step and the next one. */
    private long threeBits(long step, long draws) {
        return threeBits(word(step), draws);
    }

    private long threeBits(int word, long draws) {
        return twoOf(at(word), draws) & at(otherWord(word, draws)) >>> (draws >>> BIT_C);
    }

    /** In its lowest bit: bits a and b of a word. */
    private static long twoOf(long word, long draws) {
        return word >>> (draws >>> BIT_A) & word >>> (draws >>> BIT_B);
    }

    /** In its lowest bit: bit a of a word, or bits a and b. */
    private static long fewerOf(long word, long draws, int bits) {
        return bits == 1 ? word >>> (draws >>> BIT_A) : twoOf(word, draws);
    }

    /** In its lowest bit: whether the one or two bits of a last group are set. */
    private long fewerBits(long step, long draws, int bits) {
        return fewerOf(at(word(step)), draws, bits);
    }

    /** In its lowest bit: whether the bits of the first group are set. */
    private long firstBits(long step, long draws) {
        return probes >= GROUP ? threeBits(step, draws) : fewerBits(step, draws, probes);
    }

    @Override
    boolean areSet(long hash) {
        return areSetFrom(firstStep(hash));
    }

    private boolean areSetFrom(long first) {
        long second = next(first);
        return (firstBits(first, second) & 1) != 0 && othersAreSet(second);
    }

    /** Whether the bits of all groups after the first are set. */
    private boolean othersAreSet(long second) {
        return probes == WRITTEN_OUT ? areThreeSet(second, next(second)) : othersOfAnyAreSet(second);
    }

    private boolean areThreeSet(long step, long draws) {
        return (threeBits(step, draws) & 1) != 0;
    }

    private boolean othersOfAnyAreSet(long step) {
        int left = probes - GROUP;
        for (; left >= GROUP; left -= GROUP) {
            long draws = next(step);
            if (!areThreeSet(step, draws)) {
                return false;
            }
            step = draws;
        }
        return left <= 0 || (fewerBits(step, next(step), left) & 1) != 0;
    }

    @Override
    boolean areSetByLoop(long hash) {
        long step = firstStep(hash);
        long present = 1;
        for (int left = probes; left > 0; left -= GROUP) {
            long draws = next(step);
            present &= left >= GROUP ? threeBits(step, draws) : fewerBits(step, draws, left);
            step = draws;
        }
        return (present & 1) != 0;
    }

    /** The answers for up to 64 hashes: the first bits of all of them, then the others of those that are left. */
    @Override
    public void fill(long[] hashes, int from, int count, long[] result, int word) {
        if (isFar) {
            // Reading one word of each line and nothing else keeps as many reads in flight as the processor can have.
            // What was read goes where the answers will, lest the loop be left out.
            result[word] = readFirst(hashes, from, count);
        }
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            long first = firstStep(hashes[from + lane]);
            maybe |= (firstBits(first, next(first)) & 1) << lane;
        }
        if (isFar && probes > GROUP) {
            result[word] = readSecond(hashes, from, maybe);
        }
        long answers = maybe;
        for (long left = maybe; left != 0; left &= left - 1) {
            int lane = Long.numberOfTrailingZeros(left);
            if (!othersAreSet(secondStep(hashes[from + lane]))) {
                answers ^= 1L << lane;
            }
        }
        result[word] = answers;
    }

    private long secondStep(long hash) {
        return next(firstStep(hash));
    }

    /** Reads a word of the first line of each hash; returns something that depends on all of them. */
    private long readFirst(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= at(word(firstStep(hashes[from + lane])));
        }
        return all;
    }

    /** The same of the second line of some of the hashes. */
    private long readSecond(long[] hashes, int from, long lanes) {
        long all = 0;
        for (long left = lanes; left != 0; left &= left - 1) {
            all ^= at(word(secondStep(hashes[from + Long.numberOfTrailingZeros(left)])));
        }
        return all;
    }

    @Override
    long set(long hash) {
        return ~setFrom(firstStep(hash)) & 1;
    }

    /** Sets all bits from a first step on; the lowest bit of the result is whether all of them were set. */
    private long setFrom(long first) {
        return probes == WRITTEN_OUT ? setSix(first, next(first)) : setAny(first);
    }

    private long setSix(long first, long second) {
        return setThree(first, second) & setThree(second, next(second));
    }

    private long setAny(long step) {
        long present = 1;
        for (int left = probes; left > 0; left -= GROUP) {
            long draws = next(step);
            present &= left >= GROUP ? setThree(step, draws) : setFewer(word(step), draws, left);
            step = draws;
        }
        return present;
    }

    /** Sets the three bits of a group; the lowest bit of the result is whether all of them were set. */
    private long setThree(long step, long draws) {
        int word = word(step);
        // If both words are the same, c may be a bit that was set just now; then a or b was not set before.
        return setFewer(word, draws, 2) & setBit(otherWord(word, draws) + Words.LEAD, draws >>> BIT_C);
    }

    /** Sets bit a of a word, or bits a and b; the lowest bit of the result is whether they were set. */
    private long setFewer(int word, long draws, int bits) {
        return fewerOf(setIn(word + Words.LEAD, fewerMask(draws, bits)), draws, bits);
    }

    private static long fewerMask(long draws, int bits) {
        long first = 1L << (draws >>> BIT_A);
        return bits == 1 ? first : first | 1L << (draws >>> BIT_B);
    }

    @Override
    void setAtomically(BitVector bits, long hash) {
        long step = firstStep(hash);
        for (int left = probes; left > 0; left -= GROUP) {
            long draws = next(step);
            int word = word(step);
            bits.setAtomically(word, fewerMask(draws, Math.min(left, 2)));
            if (left >= GROUP) {
                bits.setAtomically(otherWord(word, draws), 1L << (draws >>> BIT_C));
            }
            step = draws;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>A word is any of all with the same chance, and so is another word of its line: within a line the two are independent.
     */
    @Override
    double expectedFpp() {
        double one = 0;
        double two = 0;
        double three = 0;
        for (int line = Words.LEAD; line < words.length; line += LINE_WORDS) {
            double fills = 0;
            double squares = 0;
            for (int word = line; word < line + LINE_WORDS; word++) {
                double fill = Long.bitCount(words[word]) / (double) Long.SIZE;
                fills += fill;
                squares += fill * fill;
            }
            one += fills / wordCount;
            two += squares / wordCount;
            three += squares / wordCount * (fills / LINE_WORDS);
        }
        double last = probes % GROUP == 0 ? 1 : probes % GROUP == 1 ? one : two;
        int groups = probes / GROUP;
        return Math.min(1, Math.pow(three, groups) * last);
    }
}
