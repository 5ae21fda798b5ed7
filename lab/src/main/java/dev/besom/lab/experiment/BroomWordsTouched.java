package dev.besom.lab.experiment;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.broom.BroomSizing;
import dev.besom.lab.workload.KeySpace;
import dev.besom.stored.RehashableMemoryHashes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Theorem 2 of the broom paper: the worst case of lookups, inserts and deletes is constant, whatever the number of keys. Here
 * it is counted, in words of the filter's memory that an operation touches: reads or writes, each word once.
 *
 * <p>The filter's own classes are loaded a second time with every access to a word watched: see {@link FootprintLoader}. What
 * is not counted is scratch space, objects that live for one operation, references to arrays, and the store. The filter is
 * full; one false positive for each thousand keys was found and repaired before.
 */
final class BroomWordsTouched implements Experiment {

    private static final String NAME = "broom-words-touched";
    private static final double[] QUICK_KEYS = {1e5, 3e5, 1e6};
    private static final double[] FULL_KEYS = {1e5, 1e6, 1e7, 1e8};
    private static final int KEYS_PER_FALSE_POSITIVE = 1000;

    /** The words of an overflow page at this rate: one before and one behind 106 entries of 20 bits on average. */
    private static final int OVERFLOW_PAGE_WORDS = 36;

    /** What the watched filter consists of. */
    private static final Set<String> WATCHED = Set.of(
            "dev.besom.broom", "dev.besom.bits", "dev.besom.adaptive.Tombstones", "dev.besom.adaptive.GroupSpill");

    /**
     * These have arrays that live for one operation, and none of the filter's. (Codes that are lists of the spill are read there
     * too: one bin in some thousand has one.)
     */
    private static final Set<String> UNWATCHED = Set.of(
            "dev.besom.broom.BroomFilter",
            "dev.besom.broom.Fingerprints",
            "dev.besom.broom.LookAlikes",
            "dev.besom.broom.CodeInBin",
            "dev.besom.broom.CodeWithWord",
            "dev.besom.broom.ExtensionCode",
            "dev.besom.broom.ExtensionList");

    @Override
    public Description description() {
        return new Description(
                NAME,
                "Words that a broom filter touches",
                BroomPaper.CITATION,
                "Theorem 2",
                "Words and cache lines of the filter's memory that an operation touches, each once. A query reads one primary bin"
                        + " and, now and then, an overflow page; an insert or a delete may put another page in the place of"
                        + " its group's. By the paper's theorem none of it depends on the number of keys.");
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(conditions, conditions.choose(QUICK_KEYS, FULL_KEYS), conditions.choose(20_000, 100_000));
    }

    Findings run(Conditions conditions, double[] keys, int samples) {
        ResultTable.Builder table = TouchCounts.table();
        Map<Operation, List<Series.Point>> words = new EnumMap<>(Operation.class);
        Map<Operation, List<Series.Point>> lines = new EnumMap<>(Operation.class);
        for (double each : keys) {
            conditions.progress(NAME + ", " + String.format(Locale.ROOT, "%,d", (long) each) + " keys");
            TouchCounts counts = new TouchCounts();
            measure((int) each, samples, conditions.seed(), counts);
            counts.summarize(each, table).forEach((operation, highest) -> {
                add(words, operation, each, highest[0]);
                add(lines, operation, each, highest[1]);
            });
        }
        int twoBins = BroomSizing.bin(BroomPaper.FPP).words() + OVERFLOW_PAGE_WORDS;
        return new Findings(
                Map.of("rate", "1/256", "operations of each sort", String.format(Locale.ROOT, "%,d", samples)),
                List.of(
                        plot("Words", "words touched, 99.9th percentile", words, keys, twoBins, "one bin and one page"),
                        plot(
                                "Cache lines",
                                "lines of 64 bytes touched, 99.9th percentile",
                                lines,
                                keys,
                                twoBins / 8.0 + 2,
                                "one bin and one page, at most")),
                table.end());
    }

    private static void add(Map<Operation, List<Series.Point>> points, Operation operation, double x, double y) {
        points.computeIfAbsent(operation, any -> new ArrayList<>()).add(new Series.Point(x, y));
    }

    private static Plot plot(
            String title,
            String label,
            Map<Operation, List<Series.Point>> points,
            double[] keys,
            double bound,
            String boundLabel) {
        List<Series> series = new ArrayList<>();
        points.forEach((operation, each) -> {
            if (operation != Operation.REPAIR) {
                series.add(Series.ours(operation.label, each));
            }
        });
        series.add(Series.theory(boundLabel, keys, x -> bound));
        return new Plot(title, Plot.Axis.logarithmic("keys"), Plot.Axis.linear(label), series);
    }

    private static void measure(int keys, int mostSamples, long seed, TouchCounts counts) {
        int samples = Math.min(mostSamples, keys / 2);
        KeySpace space = new KeySpace(seed);
        RehashableMemoryHashes stored = new RehashableMemoryHashes();
        AdaptiveFilter filter =
                watchedFilter(FilterSpec.of(keys, BroomPaper.FPP).withSeed(seed), stored);
        for (long i = 0; i < keys; i++) {
            long key = space.stored(i);
            filter.insertHash(key);
            stored.add(key);
        }
        long asked = 0;
        for (int wrong = 0; wrong < keys / KEYS_PER_FALSE_POSITIVE; asked++) {
            long query = space.foreign(asked);
            if (filter.mightContainHash(query)) {
                filter.repairHash(query);
                wrong++;
            }
        }
        Footprint.ignore();
        for (int i = 0; i < samples; i++) {
            ask(filter, space.foreign(asked + i), counts);
            long here = space.stored(samples + (long) (i * ((keys - samples) / (double) samples)));
            Footprint.start();
            boolean isFound = filter.mightContainHash(here);
            counts.take(Operation.HIT);
            exchange(filter, stored, space.stored((long) i), space.stored((long) keys + i), counts);
            if (!isFound) {
                throw new IllegalStateException("the filter lost the key " + here);
            }
        }
    }

    private static void ask(AdaptiveFilter filter, long query, TouchCounts counts) {
        Footprint.start();
        boolean isWrong = filter.mightContainHash(query);
        counts.take(Operation.MISS);
        if (isWrong) {
            Footprint.start();
            filter.repairHash(query);
            counts.take(Operation.REPAIR);
        }
    }

    private static void exchange(
            AdaptiveFilter filter, RehashableMemoryHashes stored, long leaves, long comes, TouchCounts counts) {
        stored.remove(leaves);
        Footprint.start();
        boolean hasLeft = filter.deleteHash(leaves);
        counts.take(Operation.DELETE);
        if (!hasLeft) {
            throw new IllegalStateException("the filter lost the key " + leaves);
        }
        Footprint.start();
        filter.insertHash(comes);
        counts.take(Operation.INSERT);
        stored.add(comes);
    }

    private static AdaptiveFilter watchedFilter(FilterSpec spec, StoredHashes stored) {
        try {
            Method make = new FootprintLoader(WATCHED, UNWATCHED)
                    .loadClass("dev.besom.broom.BroomFilter")
                    .getDeclaredMethod("make", FilterSpec.class, StoredHashes.class);
            make.setAccessible(true);
            return (AdaptiveFilter) make.invoke(null, spec, stored);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the broom filter cannot be watched", e);
        }
    }
}
