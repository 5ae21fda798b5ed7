package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.daisy.FingerprintPlan;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Theorem 3 of the Daisy paper has queries and inserts in constant time at worst; the fingerprint filter here is made of
 * quotient filters, and only its mean is constant. What its worst case is instead is counted, in words of the filter's memory
 * that an operation touches: reads or writes, each word once.
 *
 * <p>The filter's own classes are loaded a second time with every access to a word watched: see {@link FootprintLoader}. What
 * is not counted is the look-up of the class. All keys are of one class, and it has as many as it is planned for, which is
 * the most that a filter inside ever has: the next one would overflow. Inserts are the last percent before that.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
final class DaisyWordsTouched implements Experiment {

    private static final String NAME = "daisy-words-touched";
    private static final double FPP = 1.0 / 256;
    private static final double[] QUICK_KEYS = {1e5, 3e5, 1e6};
    private static final double[] FULL_KEYS = {1e5, 1e6, 1e7};
    /** One insert in so many is among the last ones. */
    private static final int LAST_INSERTS = 100;

    private static final Set<String> WATCHED =
            Set.of("dev.besom.daisy", "dev.besom.quotient", "dev.besom.quotient.slots", "dev.besom.bits");

    @Override
    public Description description() {
        return new Description(
                NAME,
                "Words that a daisy filter of fingerprints touches",
                "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024",
                "Theorem 3",
                "Words of memory that an operation touches, each once. Inserts move all slots up to the next free one. The"
                        + " paper's theorem bounds all of them by a constant or, of inserts, by a logarithm.");
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(conditions, conditions.choose(QUICK_KEYS, FULL_KEYS), conditions.choose(20_000, 100_000));
    }

    Findings run(Conditions conditions, double[] keys, int samples) {
        ResultTable.Builder table = TouchCounts.table();
        Map<Operation, List<Series.Point>> words = new EnumMap<>(Operation.class);
        for (double each : keys) {
            conditions.progress(NAME + ", " + String.format(Locale.ROOT, "%,d", (long) each) + " keys");
            TouchCounts counts = new TouchCounts();
            measure((int) each, samples, conditions.seed(), counts);
            counts.summarize(each, table)
                    .forEach((operation, highest) -> words.computeIfAbsent(operation, any -> new ArrayList<>())
                            .add(new Series.Point(each, highest[0])));
        }
        List<Series> series = new ArrayList<>();
        words.forEach((operation, points) -> series.add(Series.ours(operation.label, points)));
        return new Findings(
                Map.of("rate", "1/256", "operations of each sort", String.format(Locale.ROOT, "%,d", samples)),
                List.of(new Plot(
                        "",
                        Plot.Axis.logarithmic("keys"),
                        Plot.Axis.logarithmic("words touched, 99.9th percentile"),
                        series)),
                table.end());
    }

    /** As many filters as it takes: of each only the last inserts count, which find it as good as full. */
    private static void measure(int keys, int samples, long seed, TouchCounts counts) {
        Distribution alike = Distribution.uniform(Distribution.WHOLE_UNIVERSE);
        long room = FingerprintPlan.of(alike.classes(), keys, FPP).capacities().get(0);
        int samplesOfEach = (int) Math.min(samples, Math.max(1, room / LAST_INSERTS));
        Footprint.ignore();
        for (int done = 0; done < samples; done += samplesOfEach) {
            long own = seed + done;
            ClassifiedFilter filter = watchedFilter(FilterSpec.of(keys, FPP).withSeed(own), alike);
            measure(filter, room, samplesOfEach, new KeySpace(own), counts);
        }
    }

    private static void measure(ClassifiedFilter filter, long room, int samples, KeySpace space, TouchCounts counts) {
        long stored = 0;
        for (; filter.count() < room - samples; stored++) {
            filter.insertHash(space.stored(stored));
        }
        for (; filter.count() < room; stored++) {
            Footprint.start();
            filter.insertHash(space.stored(stored));
            counts.take(Operation.INSERT);
        }
        for (int i = 0; i < samples; i++) {
            Footprint.start();
            filter.mightContainHash(space.foreign(i));
            counts.take(Operation.MISS);
            long here = space.stored((long) (i * (stored / (double) samples)));
            Footprint.start();
            boolean isFound = filter.mightContainHash(here);
            counts.take(Operation.HIT);
            if (!isFound) {
                throw new IllegalStateException("the filter lost the key " + here);
            }
        }
    }

    private static ClassifiedFilter watchedFilter(FilterSpec spec, Distribution distribution) {
        try {
            return (ClassifiedFilter) new FootprintLoader(WATCHED, Set.of())
                    .loadClass("dev.besom.daisy.DaisyKinds")
                    .getMethod("make", Kind.class, FilterSpec.class, Distribution.class)
                    .invoke(null, Filters.kind("daisy-fingerprint"), spec, distribution);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the fingerprint filter cannot be watched", e);
        }
    }
}
