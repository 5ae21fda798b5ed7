package dev.besom.quotient.tags;

import dev.besom.adaptive.Extensions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A code that numbers all ways to give extensions to slots, those of the smallest classes first. A class is a number
 * of extended slots and the number of their bits together; its ways are the places of the slots, the lengths of their
 * extensions, and the bits.
 *
 * <pre>
 *   code = first of the class + | number of the lengths * C(all, slots) + number of the places | the bits, joined |
 *
 *   places s1 < s2 < ... < sk:           number = C(s1, 1) + C(s2, 2) + ... + C(sk, k)
 *   lengths, as cuts c1 < ... < ck-1     number = C(c1 - 1, 1) + ... + C(ck-1 - 1, k - 1)
 *   between the joined bits:             | slot 1's | slot 2's    | ... | slot k's |
 *                                        0          c1            c2    ck-1       bits
 * </pre>
 *
 * A class fits as a whole or not at all, and a class with fewer slots or fewer bits is smaller; so whoever takes bits
 * away from what fits gets what fits. In 62 bits seven extensions may have 16 bits together, where seven repairs take 14 on
 * average.
 *
 * <p>Cost: one slot's extension is found from the last place downwards, and the search ends at the slot that is looked up: a
 * step for each extended slot above it. No division: a reciprocal stands in for it.
 *
 * <p>T. M. Cover: Enumerative source encoding. IEEE Transactions on Information Theory 19(1), 1973.
 */
final class EnumerativeExtensionCode extends BlockCode {

    /** No class has more extended slots: there are not more in half a block, and in a block they do not fit. */
    private static final int MOST_SLOTS = SLOTS / 2;

    /** {@code CHOOSE[size << 6 | of]}: C(of, size). */
    private static final long[] CHOOSE = new long[(MOST_SLOTS + 1) << 6];

    /** {@code CHOSEN_GUESS[size << 8 | magnitude]}: the greatest {@code of} with C(of, size) at most all numbers of it. */
    private static final byte[] CHOSEN_GUESS = new byte[(MOST_SLOTS + 1) << 8];

    static {
        for (int size = 0; size <= MOST_SLOTS; size++) {
            for (int of = 0; of < 64; of++) {
                CHOOSE[size << 6 | of] = Binomials.choose(of, size);
            }
            for (int magnitude = 0; magnitude < 256; magnitude++) {
                int of = Math.max(0, size - 1);
                while (of < 63 && CHOOSE[size << 6 | of + 1] <= leastOfMagnitude(magnitude)) {
                    of++;
                }
                CHOSEN_GUESS[size << 8 | magnitude] = (byte) of;
            }
        }
    }

    /** The classes by rising first code; a last entry holds the end of all codes. */
    private final long[] first;

    private final byte[] slotCount;
    private final byte[] bitCount;

    /** {@code classGuess[magnitude]}: the class of the least code of the magnitude. */
    private final short[] classGuess = new short[256];

    /** {@code classOf[slots << 6 | bits]}: a class by what it holds, or -1 where it does not fit. */
    private final short[] classOf = new short[(MOST_SLOTS + 1) << 6];

    /** {@code places[n]}: how many ways n extended slots have to lie. */
    private final long[] places = new long[MOST_SLOTS + 1];

    /** {@code floor((2^63 - 1) / places[n])}. */
    private final long[] placesReciprocal = new long[MOST_SLOTS + 1];

    EnumerativeExtensionCode(int slots, int bits) {
        super(slots, bits);
        List<long[]> classes = fittingClasses(slots, bits);
        int count = classes.size();
        first = new long[count + 1];
        slotCount = new byte[count];
        bitCount = new byte[count];
        Arrays.fill(classOf, (short) -1);
        for (int index = 0; index < count; index++) {
            long[] each = classes.get(index);
            first[index + 1] = first[index] + each[0];
            slotCount[index] = (byte) each[1];
            bitCount[index] = (byte) each[2];
            classOf[(int) (each[1] << 6 | each[2])] = (short) index;
        }
        for (int magnitude = 0, index = 0; magnitude < classGuess.length; magnitude++) {
            while (index + 1 < count && first[index + 1] <= leastOfMagnitude(magnitude)) {
                index++;
            }
            classGuess[magnitude] = (short) index;
        }
        for (int extended = 0; extended <= MOST_SLOTS; extended++) {
            places[extended] = Binomials.choose(slots, extended);
            placesReciprocal[extended] = Long.MAX_VALUE / places[extended];
        }
    }

    /** Each class as its number of ways, slots and bits; as many of the smallest as there are codes for. */
    private static List<long[]> fittingClasses(int allSlots, int codeBits) {
        List<long[]> classes = new ArrayList<>();
        classes.add(new long[] {1, 0, 0});
        for (int slots = 1; slots <= MOST_SLOTS; slots++) {
            for (int bits = slots; bits < codeBits; bits++) {
                long places = Binomials.choose(allSlots, slots);
                long lengths = Binomials.choose(bits - 1, slots - 1);
                // Classes beyond the room are of no use; those within it are exact in a word.
                if (Math.scalb((double) places * lengths, bits) > Math.scalb(1.0, codeBits)) {
                    break;
                }
                classes.add(new long[] {(places * lengths) << bits, slots, bits});
            }
        }
        classes.sort(Comparator.<long[]>comparingLong(each -> each[0]).thenComparingLong(each -> each[1]));
        long end = 0;
        int fitting = 0;
        while (fitting < classes.size() && end + classes.get(fitting)[0] <= 1L << codeBits) {
            end += classes.get(fitting)[0];
            fitting++;
        }
        return classes.subList(0, fitting);
    }

    /** Whether that many extended slots with that many bits together fit. */
    boolean fits(int extended, int together) {
        return extended <= MOST_SLOTS && together < bits && classOf[extended << 6 | together] >= 0;
    }

    /** Sorts numbers from 0 to 2^63 - 1 into four equal parts between any two powers of 2 from 4 on. */
    static int magnitude(long number) {
        int exponent = Math.max(2, Long.SIZE - 1 - Long.numberOfLeadingZeros(number));
        // Below 4 the number itself; from there on exponent - 1 in the upper bits, two bits after the first below.
        return ((exponent - 2) << 2) + (int) (number >>> (exponent - 2));
    }

    static long leastOfMagnitude(int magnitude) {
        int exponent = magnitude >>> 2;
        if (exponent > Long.SIZE - 2) {
            return Long.MAX_VALUE;
        }
        return exponent == 0 ? magnitude : (4L | (magnitude & 3)) << (exponent - 1);
    }

    private int classOf(long code) {
        int index = classGuess[magnitude(code)];
        while (code >= first[index + 1]) {
            index++;
        }
        return index;
    }

    /** The greatest {@code of} with C(of, size) at most the number; at least size - 1. */
    private static int chosen(long number, int size) {
        if (size == 1) {
            return (int) number;
        }
        int at = size << 6 | CHOSEN_GUESS[size << 8 | magnitude(number)];
        while ((at & 63) != 63 && CHOOSE[at + 1] <= number) {
            at++;
        }
        return at & 63;
    }

    private long lengthsNumber(long joined, int extended) {
        long estimate = Math.multiplyHigh(joined << 1, placesReciprocal[extended]);
        return joined - estimate * places[extended] >= places[extended] ? estimate + 1 : estimate;
    }

    @Override
    long tagAt(long code, int slot) {
        if (code == 0 || code >= first[slotCount.length]) {
            return 0;
        }
        int index = classOf(code);
        int extended = slotCount[index];
        int together = bitCount[index];
        long number = code - first[index];
        long lengths = lengthsNumber(number >>> together, extended);
        long where = (number >>> together) - lengths * places[extended];
        int rank = extended;
        int place = chosen(where, rank);
        while (place > slot) {
            where -= CHOOSE[rank << 6 | place];
            rank--;
            if (rank == 0) {
                return 0;
            }
            place = chosen(where, rank);
        }
        if (place != slot) {
            return 0;
        }
        // The extension ends at cut number rank and starts at the one before; beyond the last cut ends the string.
        int end = together;
        int start = 0;
        for (int cut = extended - 1; cut >= rank - 1 && cut > 0; cut--) {
            int free = chosen(lengths, cut);
            lengths -= CHOOSE[cut << 6 | free];
            if (cut == rank - 1) {
                start = free + 1;
            } else {
                end = free + 1;
            }
        }
        return Extensions.ofBits(number >>> start, end - start);
    }

    @Override
    void decode(long code, long[] tags, int from) {
        Arrays.fill(tags, from, from + slots, 0);
        if (code == 0 || code >= first[slotCount.length]) {
            return;
        }
        int index = classOf(code);
        int extended = slotCount[index];
        int end = bitCount[index];
        long number = code - first[index];
        long lengths = lengthsNumber(number >>> end, extended);
        long where = (number >>> end) - lengths * places[extended];
        for (int rank = extended; rank > 0; rank--) {
            int place = chosen(where, rank);
            where -= CHOOSE[rank << 6 | place];
            int start = 0;
            if (rank > 1) {
                int free = chosen(lengths, rank - 1);
                lengths -= CHOOSE[(rank - 1) << 6 | free];
                start = free + 1;
            }
            tags[from + place] = Extensions.ofBits(number >>> start, end - start);
            end = start;
        }
    }

    @Override
    long encode(long[] tags, int from) {
        int extended = 0;
        int together = 0;
        long where = 0;
        long lengths = 0;
        long joined = 0;
        for (int slot = 0; slot < slots; slot++) {
            long extension = tags[from + slot];
            if (extension == 0) {
                continue;
            }
            int length = Extensions.length(extension);
            if (extended == MOST_SLOTS || together + length >= bits) {
                return DOES_NOT_FIT;
            }
            if (extended > 0) {
                lengths += CHOOSE[extended << 6 | together - 1];
            }
            extended++;
            where += CHOOSE[extended << 6 | slot];
            joined |= Extensions.bits(extension) << together;
            together += length;
        }
        int index = classOf[extended << 6 | together];
        return index < 0 ? DOES_NOT_FIT : first[index] + ((lengths * places[extended] + where) << together | joined);
    }
}
