package dev.besom.quotient.tags;

/** Binomial coefficients, for tables that are filled once. */
final class Binomials {

    private Binomials() {}

    /** How many subsets of a size a set of {@code of} members has; {@link Long#MAX_VALUE} if more than that. */
    static long choose(int of, int size) {
        if (size < 0 || size > of) {
            return 0;
        }
        int members = Math.min(size, of - size);
        long ways = 1;
        for (int member = 1; member <= members; member++) {
            // What is left of the member after its common divisor with the ways so far divides the factor.
            long shared = gcd(ways, member);
            long factor = (of - member + 1) / (member / shared);
            long before = ways / shared;
            // The ways grow with each member up to half of the set, so that the first overflow is the last word.
            if (before > Long.MAX_VALUE / factor) {
                return Long.MAX_VALUE;
            }
            ways = before * factor;
        }
        return ways;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
