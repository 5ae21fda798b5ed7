package dev.besom.lab.race;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * What a repeated measurement gave.
 *
 * @param median the one in the middle; of an even number the mean of the two there
 * @param least the smallest
 * @param most the largest
 */
public record Spread(double median, double least, double most) {

    /** The spread of one number of each element; not a number where there is none. */
    public static <T> Spread of(Collection<T> measurements, ToDoubleFunction<? super T> number) {
        double[] sorted = measurements.stream().mapToDouble(number).sorted().toArray();
        if (sorted.length == 0) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        int last = sorted.length - 1;
        return new Spread((sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[0], sorted[last]);
    }
}
