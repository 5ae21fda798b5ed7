package dev.besom.quotient.tags;

import dev.besom.adaptive.Extensions;
import java.util.Arrays;

/**
 * An arithmetic code for extensions: a slot has one with probability 1/8, of length l with probability 2^-l, and all
 * extensions of one length are equally likely.
 *
 * <pre>
 *   0                                                                           size
 *   |------------------------ none -------------------------|--- "0" "1" ---|-----||
 *                                                           |<---- size / 8 ----->|
 *                                                                           |     | "00" "01" "10" "11"
 * </pre>
 *
 * The interval of each slot's extension lies in the interval of those before it.
 *
 * <p>Departures from the paper. The chance that a slot has an extension is 1/8, which packs the most repairs into 56
 * bits: 6.4 a block on average. The code is the lowest number of its interval, so that 64 empty extensions have the code
 * 0.
 *
 * <p>Cost: decoding walks from slot 0 to the slot that is looked up or to the last extension.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021, appendix C.4.
 */
final class ShiftExtensionCode extends BlockCode {

    /** A slot has an extension with probability 2^-3. */
    private static final int SOME_SHIFT = 3;

    /** Beyond this length not even the first slot's interval holds a number for each extension. */
    private final int mostLength;

    ShiftExtensionCode(int slots, int bits) {
        super(slots, bits);
        this.mostLength = (bits - SOME_SHIFT) / 2;
    }

    @Override
    long encode(long[] tags, int from) {
        long low = 0;
        long size = 1L << bits;
        for (int slot = 0; slot < slots; slot++) {
            long extension = tags[from + slot];
            long some = size >>> SOME_SHIFT;
            size -= some;
            if (extension != 0) {
                int length = Extensions.length(extension);
                if (length > mostLength) {
                    return DOES_NOT_FIT;
                }
                long piece = some >>> (2 * length);
                if (piece == 0) {
                    return DOES_NOT_FIT;
                }
                low += size + startOfLength(some, length) + Extensions.bits(extension) * piece;
                size = piece;
            }
        }
        return low;
    }

    /** Where the extensions of a length start: after 1/2, 1/4, ... of the interval of them all. */
    private static long startOfLength(long some, int length) {
        return some - (some >>> (length - 1));
    }

    @Override
    void decode(long code, long[] tags, int from) {
        Arrays.fill(tags, from, from + slots, 0);
        walk(code, slots - 1, tags, from);
    }

    @Override
    long tagAt(long code, int slot) {
        return walk(code, slot, NOWHERE, 0);
    }

    private static final long[] NOWHERE = {};

    /** Decodes up to a slot, whose extension it returns, and writes each one on the way if there is room for them. */
    private long walk(long code, int slot, long[] tags, int from) {
        long rest = code;
        long size = 1L << bits;
        // Once the rest is 0 it lies at the start of every interval to come. Only a number that is no code lies outside
        // the interval, where rounding left gaps between the lengths.
        for (int passed = 0; passed <= slot && rest != 0 && rest < size; passed++) {
            long some = size >>> SOME_SHIFT;
            size -= some;
            if (rest < size) {
                continue;
            }
            rest -= size;
            int length = 1;
            while (length < mostLength && rest >= startOfLength(some, length + 1)) {
                length++;
            }
            rest -= startOfLength(some, length);
            size = some >>> (2 * length);
            long value = 0;
            for (int bit = length - 1; bit >= 0; bit--) {
                if (rest >= size << bit) {
                    rest -= size << bit;
                    value |= 1L << bit;
                }
            }
            long extension = Extensions.ofBits(value, length);
            if (tags.length != 0) {
                tags[from + passed] = extension;
            }
            if (passed == slot) {
                return extension;
            }
        }
        return 0;
    }
}
