package dev.besom.quotient;

/** Binomial coefficients, for tables that are filled once. */
final class Binomials {

    private Binomials() {}

    /** How many subsets of {@code size} members a set of {@code of} members has; {@link Long#MAX_VALUE} if more than that. */
    static long choose(int of, int size) {
        if (size < 0 || size > of) {
            return 0;
        }
        long ways = 1;
        for (int member = 1; member <= Math.min(size, of - size); member++) {
            long factor = (long) of - member + 1;
            if (Math.multiplyHigh(ways, factor) != 0 || ways * factor < 0) {
                return Long.MAX_VALUE;
            }
            ways = ways * factor / member;
        }
        return ways;
    }
}
