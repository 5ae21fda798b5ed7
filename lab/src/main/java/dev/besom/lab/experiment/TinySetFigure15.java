package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.compact.TinySetFilter;
import dev.besom.hash.Mix;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What removals leave behind in a TinySet: it is filled, and then a key is added and a key removed, over and over; drawn is
 * the share of its slots that belong to no key. Once the oldest key goes, as from a sliding window, and once any.
 *
 * <p>The paper does not say how many keys a block has, on which it depends: the load of small blocks varies more. Here it
 * is drawn for blocks of 64, 32 and 16 keys at 0.1 %. A departure that matters a little: a block that gets empty forgets
 * its free slots.
 */
final class TinySetFigure15 implements Experiment {

    private static final double[] REPLACED = {0.1, 0.25, 0.5, 0.75, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    @Override
    public Description description() {
        return new Description(
                "tinyset-figure-15",
                "Slots that removals leave behind",
                TinySetPaper.CITATION,
                "Figure 15",
                "A key is added and one removed, over and over: the oldest, or any. Drawn is the share of slots that belong to"
                        + " no key. The paper does not say how many keys its blocks have.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int keyCount = conditions.choose(40_000, 1_000_000);
        List<Series> series = new ArrayList<>();
        for (String preset : new String[] {"64I", "32I", "16I"}) {
            for (boolean isWindow : new boolean[] {true, false}) {
                String name = preset + (isWindow ? ", sliding window" : ", random");
                conditions.progress("tinyset-figure-15, " + name);
                series.add(Series.ours(name, free(preset, keyCount, isWindow, conditions.seed())));
            }
        }
        series.add(Series.paper("sliding window and random", 0.5, 0.11, 1, 0.16, 10, 0.35));
        Plot plot = new Plot(
                "", Plot.Axis.linear("removals / keys"), Plot.Axis.linear("share of slots that are free"), series);
        return new Findings(
                Map.of("keys", String.format(Locale.ROOT, "%,d", keyCount)), List.of(plot), ResultTable.of(plot));
    }

    private static List<Series.Point> free(String preset, int keyCount, boolean isWindow, long seed) {
        KeySpace space = new KeySpace(seed);
        SplittableRandom random = new SplittableRandom(Mix.mix(seed + keyCount));
        TinySetFilter filter = (TinySetFilter)
                TinySetPaper.preset(preset).make(FilterSpec.of(keyCount, 0.001).withSeed(seed), StoredHashes.none());
        long[] present = space.stored(keyCount);
        filter.insertHashes(present, 0, keyCount);
        List<Series.Point> points = new ArrayList<>();
        long done = 0;
        for (double share : REPLACED) {
            for (; done < (long) (share * keyCount); done++) {
                int place = isWindow ? (int) (done % keyCount) : random.nextInt(keyCount);
                filter.insertHash(space.stored(keyCount + done));
                filter.deleteHash(present[place]);
                present[place] = space.stored(keyCount + done);
            }
            points.add(new Series.Point(share, 1 - (double) filter.count() / filter.slotCount()));
        }
        return points;
    }
}
