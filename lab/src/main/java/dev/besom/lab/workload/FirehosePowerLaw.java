package dev.besom.lab.workload;

import dev.besom.hash.Mix;
import java.util.SplittableRandom;

/**
 * Firehose's power-law generator: a fixed range of keys, drawn from a Yule-Simon law that is cut off at the end of the
 * range. Key {@code i} or an earlier one comes with the chance
 *
 * <pre>
 *   1 - i B(i, c + 1)  =  1 - product over j = 1..i of j / (j + c),       c = 0.5
 * </pre>
 *
 * <p>so the rarest of 100,000 keys is seen about once in 70 million queries.
 *
 * <p>Departure: the range is 107,300 keys, not 100,000, because then each key is repeated 584 times on average in 50
 * million queries, as in the telescoping paper's data; with 100,000 keys it is 609 times. The draws are this project's
 * own, so the keys differ from those of the original program.
 *
 * <p>K. Anderson, S. Plimpton: FireHose streaming benchmarks. Sandia National Laboratories, 2013. D. J. Lee, S. McCauley,
 * S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021, section 6.1.
 */
public final class FirehosePowerLaw implements EndlessStream {

    /** How many keys there are unless stated otherwise. */
    public static final int DEFAULT_KEYS = 107_300;

    private static final double CONCENTRATION = 0.5;

    private final KeySpace space;
    private final SplittableRandom random;

    /** Element i: the chance of a key below i + 1, before the cut-off is scaled away. */
    private final double[] cumulative;

    public FirehosePowerLaw(KeySpace space, int keys) {
        this.space = space;
        this.random = new SplittableRandom(Mix.mix(space.seed() + 3));
        this.cumulative = new double[keys];
        double survival = 1;
        for (int i = 0; i < keys; i++) {
            survival *= (i + 1) / (i + 1 + CONCENTRATION);
            cumulative[i] = 1 - survival;
        }
    }

    @Override
    public long next() {
        double u = random.nextDouble() * cumulative[cumulative.length - 1];
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] > u) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return space.foreign(low);
    }
}
