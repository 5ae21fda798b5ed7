package dev.besom.quotient;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A code that numbers all ways to give extensions to 64 slots, those of the smallest classes first. A class is a number
 * of extended slots and the number of their bits together; its ways are the places of the slots, the lengths of their
 * extensions, and the bits.
 *
 * <pre>
 *   code = first of the class + | number of the lengths * C(64, slots) + number of the places | the bits, joined |
 *
 *   places s1 < s2 < ... < sk:           number = C(s1, 1) + C(s2, 2) + ... + C(sk, k)
 *   lengths, as cuts c1 < ... < ck-1     number = C(c1 - 1, 1) + ... + C(ck-1 - 1, k - 1)
 *   between the joined bits:             | slot 1's | slot 2's    | ... | slot k's |
 *                                        0          c1            c2    ck-1       bits
 * </pre>
 *
 * A class fits as a whole or not at all, and a class with fewer slots or fewer bits is smaller; so whoever takes bits
 * away from what fits gets what fits. One extension may have up to 46 bits; six may have 15 together, where six repairs take 12
 * on average.
 *
 * <p>Cost: one slot's extension is found from the last place downwards, and the search ends at the slot asked for: some
 * 3 to 5 ns for each extended slot above it. No division: a reciprocal stands in for it.
 *
 * <p>T. M. Cover: Enumerative source encoding. IEEE Transactions on Information Theory 19(1), 1973.
 */
final class EnumerativeExtensionCode implements ExtensionCode {

    static final EnumerativeExtensionCode INSTANCE = new EnumerativeExtensionCode();

    /** {@code CHOOSE[size << 6 | of]}: C(of, size); sizes up to the most extended slots of any class. */
    private static final long[] CHOOSE;

    /** {@code CHOSEN_GUESS[size << 8 | magnitude]}: the greatest {@code of} with C(of, size) at most all numbers of it. */
    private static final byte[] CHOSEN_GUESS;

    /** The classes by rising first code; a last entry holds the end of all codes. */
    private static final long[] FIRST;

    private static final byte[] SLOT_COUNT;
    private static final byte[] BIT_COUNT;

    /** {@code CLASS_GUESS[magnitude]}: the class of the least code of the magnitude. */
    private static final short[] CLASS_GUESS = new short[256];

    /** {@code CLASS_OF[slots << 6 | bits]}: a class by what it holds, or -1 where it does not fit. */
    private static final short[] CLASS_OF;

    /** {@code floor((2^63 - 1) / C(64, slots))}. */
    private static final long[] PLACES_RECIPROCAL;

    private static final long[] PLACES;

    /** The most slots that any class has. */
    static final int MOST_SLOTS;

    static {
        List<long[]> classes = fittingClasses();
        int count = classes.size();
        FIRST = new long[count + 1];
        SLOT_COUNT = new byte[count];
        BIT_COUNT = new byte[count];
        int most = 0;
        for (int index = 0; index < count; index++) {
            long[] each = classes.get(index);
            FIRST[index + 1] = FIRST[index] + each[0];
            SLOT_COUNT[index] = (byte) each[1];
            BIT_COUNT[index] = (byte) each[2];
            most = Math.max(most, (int) each[1]);
        }
        MOST_SLOTS = most;
        CLASS_OF = new short[(most + 1) << 6];
        Arrays.fill(CLASS_OF, (short) -1);
        for (int index = 0; index < count; index++) {
            CLASS_OF[SLOT_COUNT[index] << 6 | BIT_COUNT[index]] = (short) index;
        }
        for (int magnitude = 0, index = 0; magnitude < CLASS_GUESS.length; magnitude++) {
            while (index + 1 < count && FIRST[index + 1] <= leastOfMagnitude(magnitude)) {
                index++;
            }
            CLASS_GUESS[magnitude] = (short) index;
        }
        PLACES = new long[most + 1];
        PLACES_RECIPROCAL = new long[most + 1];
        CHOOSE = new long[(most + 1) << 6];
        CHOSEN_GUESS = new byte[(most + 1) << 8];
        for (int size = 0; size <= most; size++) {
            PLACES[size] = Binomials.choose(SLOTS, size);
            PLACES_RECIPROCAL[size] = Long.MAX_VALUE / PLACES[size];
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

    private EnumerativeExtensionCode() {}

    /** Each class as its number of ways, slots and bits; as many of the smallest as 2^56 codes hold. */
    private static List<long[]> fittingClasses() {
        List<long[]> classes = new ArrayList<>();
        classes.add(new long[] {1, 0, 0});
        for (int slots = 1; slots <= SLOTS; slots++) {
            for (int bits = slots; bits < BITS; bits++) {
                // The product is below 2^63 where its logarithm is; classes beyond 2^56 are of no use anyway.
                double ways = (double) Binomials.choose(SLOTS, slots) * Binomials.choose(bits - 1, slots - 1);
                if (Math.scalb(ways, bits) > Math.scalb(1.0, BITS)) {
                    break;
                }
                long exactly = (Binomials.choose(SLOTS, slots) * Binomials.choose(bits - 1, slots - 1)) << bits;
                classes.add(new long[] {exactly, slots, bits});
            }
        }
        classes.sort(Comparator.<long[]>comparingLong(each -> each[0]).thenComparingLong(each -> each[1]));
        long end = 0;
        int fitting = 0;
        while (fitting < classes.size() && end + classes.get(fitting)[0] <= 1L << BITS) {
            end += classes.get(fitting)[0];
            fitting++;
        }
        return classes.subList(0, fitting);
    }

    /** Whether that many extended slots with that many bits together fit. */
    static boolean fits(int slots, int bits) {
        return slots <= MOST_SLOTS && bits < BITS && CLASS_OF[slots << 6 | bits] >= 0;
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

    private static int classOf(long code) {
        int index = CLASS_GUESS[magnitude(code)];
        while (code >= FIRST[index + 1]) {
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

    private static long lengthsNumber(long joined, int slots) {
        long estimate = Math.multiplyHigh(joined << 1, PLACES_RECIPROCAL[slots]);
        return joined - estimate * PLACES[slots] >= PLACES[slots] ? estimate + 1 : estimate;
    }

    @Override
    public long extensionAt(long code, int slot) {
        if (code == 0 || code >= FIRST[SLOT_COUNT.length]) {
            return EMPTY;
        }
        int index = classOf(code);
        int slots = SLOT_COUNT[index];
        int bits = BIT_COUNT[index];
        long number = code - FIRST[index];
        long lengths = lengthsNumber(number >>> bits, slots);
        long places = (number >>> bits) - lengths * PLACES[slots];
        int rank = slots;
        int place = chosen(places, rank);
        while (place > slot) {
            places -= CHOOSE[rank << 6 | place];
            rank--;
            if (rank == 0) {
                return EMPTY;
            }
            place = chosen(places, rank);
        }
        if (place != slot) {
            return EMPTY;
        }
        // The extension ends at cut number rank and starts at the one before; beyond the last cut ends the string.
        int end = bits;
        int start = 0;
        for (int cut = slots - 1; cut >= rank - 1 && cut > 0; cut--) {
            int free = chosen(lengths, cut);
            lengths -= CHOOSE[cut << 6 | free];
            if (cut == rank - 1) {
                start = free + 1;
            } else {
                end = free + 1;
            }
        }
        return ExtensionCode.extension(number >>> start, end - start);
    }

    @Override
    public void decode(long code, long[] extensions) {
        Arrays.fill(extensions, 0, SLOTS, EMPTY);
        if (code == 0 || code >= FIRST[SLOT_COUNT.length]) {
            return;
        }
        int index = classOf(code);
        int slots = SLOT_COUNT[index];
        int end = BIT_COUNT[index];
        long number = code - FIRST[index];
        long lengths = lengthsNumber(number >>> end, slots);
        long places = (number >>> end) - lengths * PLACES[slots];
        for (int rank = slots; rank > 0; rank--) {
            int place = chosen(places, rank);
            places -= CHOOSE[rank << 6 | place];
            int start = 0;
            if (rank > 1) {
                int free = chosen(lengths, rank - 1);
                lengths -= CHOOSE[(rank - 1) << 6 | free];
                start = free + 1;
            }
            extensions[place] = ExtensionCode.extension(number >>> start, end - start);
            end = start;
        }
    }

    @Override
    public long encode(long[] extensions) {
        int slots = 0;
        int bits = 0;
        long places = 0;
        long lengths = 0;
        long joined = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            long extension = extensions[slot];
            if (extension == EMPTY) {
                continue;
            }
            int length = ExtensionCode.length(extension);
            if (slots == MOST_SLOTS || bits + length >= BITS) {
                return DOES_NOT_FIT;
            }
            if (slots > 0) {
                lengths += CHOOSE[slots << 6 | bits - 1];
            }
            slots++;
            places += CHOOSE[slots << 6 | slot];
            joined |= (extension ^ 1L << length) << bits;
            bits += length;
        }
        if (slots == 0) {
            return 0;
        }
        int index = CLASS_OF[slots << 6 | bits];
        return index < 0 ? DOES_NOT_FIT : FIRST[index] + ((lengths * PLACES[slots] + places) << bits | joined);
    }
}
