package dev.besom.math;

/** Lower bounds that no filter can beat. */
public final class Entropy {

    private static final double LN2 = Math.log(2);

    private Entropy() {}

    /** The bits a key that any filter with that false-positive rate needs for a large universe: log2(1 / fpp). */
    public static double bitsPerKey(double fpp) {
        return -Math.log(fpp) / LN2;
    }

    /** The entropy in bits of an event of that probability and its opposite. */
    public static double binary(double probability) {
        if (probability <= 0 || probability >= 1) {
            return 0;
        }
        double opposite = 1 - probability;
        return -(probability * Math.log(probability) + opposite * Math.log(opposite)) / LN2;
    }
}
