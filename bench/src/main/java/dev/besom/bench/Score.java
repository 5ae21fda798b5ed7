package dev.besom.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One measurement.
 *
 * @param kind of which contender
 * @param n with how many keys
 * @param operation what was measured: the benchmark's method
 * @param time for an operation; building, saving and loading are one operation
 * @param allocatedBytes for an operation; NaN where it was not measured
 */
record Score(String kind, int n, String operation, Time time, double allocatedBytes) {

    /**
     * A mean.
     *
     * @param error half the width of the 99.9 % confidence interval; NaN where it cannot be told
     */
    record Time(double nanos, double error) {

        /** Of each of so many parts. */
        Time dividedBy(int parts) {
            return new Time(nanos / parts, error / parts);
        }
    }

    private static final String ALLOCATION = "gc.alloc.rate.norm";

    static List<Score> of(Collection<RunResult> results) {
        return results.stream()
                .map(Score::of)
                .sorted(Comparator.comparing(Score::n))
                .toList();
    }

    private static Score of(RunResult result) {
        Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
        String method = result.getParams().getBenchmark();
        return new Score(
                result.getParams().getParam("kind"),
                Integer.parseInt(result.getParams().getParam("n")),
                method.substring(method.lastIndexOf('.') + 1),
                new Time(
                        result.getPrimaryResult().getScore(),
                        result.getPrimaryResult().getScoreError()),
                allocation == null ? Double.NaN : allocation.getScore());
    }
}
