package dev.besom.daisy;

import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.KeyClass;
import java.util.Arrays;
import java.util.List;

/**
 * How keys are spread over fingerprint filters by the bits of information they deserve.
 *
 * @param groupOfClass by class: 0 for none, otherwise one more than the index of its filter
 * @param capacities by filter: for how many keys
 * @param rates by filter
 */
public record FingerprintPlan(List<Integer> groupOfClass, List<Long> capacities, List<Double> rates) {

    /** A class is rare if it gets fewer than n / (log2 n)^c of n keys; the paper asks for c above 2. */
    private static final double RARE_EXPONENT = 2.5;

    /** By how many standard deviations the room of the rare classes exceeds what is expected. */
    private static final double DEVIATIONS = 6;

    /** How far above the one asked for a rate may be. */
    private static final double TOLERATED = 1.1;

    private static final double LEAST_PLANNED = 1.0 / 3;
    private static final double PLANNING_STEP = 0.93;

    /** One filter for each j that many keys deserve, and one for all keys of other j, if there are any. */
    public static FingerprintPlan of(List<KeyClass> classes, double n, double fpp) {
        int[] probes = probes(classes, n, fpp);
        double[] expected = new double[DaisyMath.MAX_PROBES + 1];
        boolean[] isUsed = new boolean[expected.length];
        for (int i = 0; i < probes.length; i++) {
            expected[probes[i]] += n * classes.get(i).insertShare();
            isUsed[probes[i]] = true;
        }
        double log = Math.max(2, Math.log(n) / Math.log(2));
        double few = n / Math.pow(log, RARE_EXPONENT);
        int[] groupOfProbes = new int[expected.length];
        long[] capacities = new long[expected.length];
        double[] rates = new double[expected.length];
        int groups = 0;
        double expectedRare = 0;
        for (int j = 1; j < expected.length; j++) {
            if (isUsed[j] && expected[j] >= few) {
                capacities[groups] = (long) Math.ceil((1 + 1 / log) * expected[j]);
                rates[groups] = Math.scalb(1.0, -j);
                groupOfProbes[j] = ++groups;
            } else {
                expectedRare += expected[j];
            }
        }
        int rareGroup = groups + 1;
        int mostOfRare = 0;
        for (int j = 1; j < expected.length; j++) {
            if (isUsed[j] && groupOfProbes[j] == 0) {
                groupOfProbes[j] = rareGroup;
                mostOfRare = j;
            }
        }
        if (mostOfRare > 0) {
            capacities[groups] = (long) Math.ceil(expectedRare + DEVIATIONS * Math.sqrt(expectedRare) + 1);
            // Planned for a lower rate than the one asked for, a class may deserve more bits than that has.
            rates[groups] = Math.min(fpp, Math.scalb(1.0, -mostOfRare));
            groups++;
        }
        return new FingerprintPlan(
                Arrays.stream(probes).mapToObj(j -> groupOfProbes[j]).toList(),
                Arrays.stream(capacities, 0, groups).boxed().toList(),
                Arrays.stream(rates, 0, groups).boxed().toList());
    }

    /**
     * The bits that keys of each class deserve, so that the rate is at most a tenth above the one asked for. Where queries
     * and inserts are of quite different keys they are those of a lower rate. What none can mend is left.
     */
    private static int[] probes(List<KeyClass> classes, double n, double fpp) {
        for (double planned = fpp; planned >= LEAST_PLANNED * fpp; planned *= PLANNING_STEP) {
            int[] probes = DaisyMath.wholeProbes(classes, n, planned);
            if (DaisyMath.rate(classes, n, probes, 0.5) <= TOLERATED * fpp) {
                return probes;
            }
        }
        return DaisyMath.wholeProbes(classes, n, fpp);
    }
}
