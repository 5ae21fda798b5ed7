package dev.besom.quotient;

import java.math.BigInteger;

/** Binomial coefficients, for tables that are filled once. */
final class Binomials {

    private Binomials() {}

    /** How many subsets of a size a set of {@code of} members has; {@link Long#MAX_VALUE} if more than that. */
    static long choose(int of, int size) {
        if (size < 0 || size > of) {
            return 0;
        }
        BigInteger ways = BigInteger.ONE;
        for (int member = 1; member <= Math.min(size, of - size); member++) {
            ways = ways.multiply(BigInteger.valueOf((long) of - member + 1)).divide(BigInteger.valueOf(member));
        }
        return ways.bitLength() < Long.SIZE ? ways.longValue() : Long.MAX_VALUE;
    }
}
