package dev.besom.compact;

/**
 * How many bits of quotients a block has up to a number, as estimated from the length of the block.
 *
 * <pre>
 *   bits up to a number  =  number / 2^k * (base + rise * length of the block)
 * </pre>
 *
 * A block of more keys is longer, and has more bits of quotients on the way to any of its numbers. With the length known the way is
 * as uncertain as a random walk that has to come back: two and a half bits of a hundred, where a line for all blocks is four off.
 *
 * @param base of the line, times 2^32
 * @param rise for each bit of the block, times 2^32
 */
record QuotientLine(long base, long rise) {

    private static final int SHIFT = 32;

    /** Bits below the estimate: with so many it is too far for about one number in a hundred. */
    private static final int MARGIN = 5;

    /** The unused bits at the end of a block of whole bytes, on average. */
    private static final double UNUSED_BITS = 3.5;

    /** The line of a set of so many numbers. */
    static QuotientLine of(GolombFilter.Scheme scheme, long numbers, double sizeInBits) {
        if (numbers == 0) {
            return new QuotientLine(0, 0);
        }
        int remainderBits = scheme.remainderBits();
        double keys = (double) numbers / scheme.blockCount();
        double size = sizeInBits / scheme.blockCount();
        double units = Math.scalb((double) scheme.blockRange(), -remainderBits);
        double quotientBits = size - UNUSED_BITS - keys * remainderBits;
        // A number is worth the whole of its quotient and on average this part of 2^remainderBits for its remainder.
        double remainder = Math.min(1, Math.max(0, (units - quotientBits) / keys + 1));
        double risePerBit = (1 - remainder) / (remainderBits + 1 - remainder);
        return new QuotientLine(scaled((quotientBits - risePerBit * size) / units), scaled(risePerBit / units));
    }

    private static long scaled(double value) {
        return (long) Math.scalb(Math.min(Integer.MAX_VALUE, Math.max(Integer.MIN_VALUE, value)), SHIFT);
    }

    /**
     * The bits up to a number, less a few.
     *
     * @param units the number divided by {@code 2^k}
     */
    long bitsUpTo(long units, int sizeInBits) {
        return ((units * (base + rise * sizeInBits)) >> SHIFT) - MARGIN;
    }
}
