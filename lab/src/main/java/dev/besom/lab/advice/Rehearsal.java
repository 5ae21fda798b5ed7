package dev.besom.lab.advice;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.workload.KeySpace;
import dev.besom.math.ZipfMath;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What kinds waste of the traffic that is planned for. A filter that never adapts wastes its rate of the misses. What one
 * wastes that adapts depends on how many of its repairs it gives up, and when: a small filter is really asked.
 *
 * <p>The small filter stands for the part of a large one that has so many of its keys. Of the keys that are missed it gets every
 * so manieth by rank, each as often as in the whole, so that repairs for each key and repeats of each missed key are those of the
 * large one. Its store can move hashes, as that of a race can. What is wasted is counted over enough filters of different
 * seeds, and taken times the parts.
 *
 * <pre>
 *   ranks of missed keys   1 2 3 4 5 6 7 8 9 ...       of a large filter
 *                            2       6       ...       of a small one with a quarter of the keys
 * </pre>
 */
final class Rehearsal {

    /** The most keys of a filter that is asked. */
    private static final int MOST_KEYS = 1 << 14;

    /** The fewest: fewer are all of them special. */
    private static final int LEAST_KEYS = 1 << 9;

    /** The most queries of a filter; what comes after them is taken to be like the last quarter of them. */
    private static final int MOST_QUERIES = 1 << 20;

    /** The most different keys that are missed. */
    private static final int MOST_MISSED_KEYS = 1 << 20;

    /** False positives that make a mean good to some five percent. */
    private static final long ENOUGH = 400;

    private static final int MOST_FILTERS = 8;

    /** Rates are told apart by a quarter of a bit. */
    private static final double STEPS_A_BIT = 4;

    private static final long SEED = 0x72656865617273L;

    private final Traffic traffic;
    private final int keyCount;
    private final double share;
    private final double[] cumulative;
    private final double misses;
    private final Map<String, Optional<Double>> wasteByKind = new HashMap<>();

    private Rehearsal(Traffic traffic, int keyCount, double share, double[] cumulative, double misses) {
        this.traffic = traffic;
        this.keyCount = keyCount;
        this.share = share;
        this.cumulative = cumulative;
        this.misses = misses;
    }

    /** For filters of so many keys. */
    static Rehearsal of(long n, Traffic traffic) {
        if (traffic.law().isEmpty()) {
            return new Rehearsal(traffic, 0, 1, new double[0], 0);
        }
        Traffic.Law law = traffic.law().get();
        double affordable =
                Math.min(MOST_QUERIES / Math.max(1, traffic.misses()), MOST_MISSED_KEYS / Math.max(1, law.keys()));
        int keyCount =
                (int) Math.min((double) n, Math.max(LEAST_KEYS, Math.min(MOST_KEYS, n * Math.min(1, affordable))));
        double share = (double) keyCount / n;
        int ranks = (int) Math.max(1, Math.min(MOST_MISSED_KEYS, Math.rint(law.keys() * share)));
        double[] cumulative = new double[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++) {
            sum += Math.pow(Math.max(1, (i + 0.5) * law.keys() / ranks), -law.exponent());
            cumulative[i] = sum;
        }
        double drawn = traffic.misses() * sum / ZipfMath.harmonic(law.keys(), law.exponent());
        return new Rehearsal(traffic, keyCount, share, cumulative, drawn);
    }

    /**
     * The reads that a filter wastes.
     *
     * @param planned the rate that it is made for
     * @param rate the rate that it then has
     */
    double wastedReads(Kind kind, double planned, double rate) {
        if (!kind.isAdaptive() || cumulative.length == 0) {
            return traffic.wastedReads(rate, kind.keepsRepairs());
        }
        String point = kind.name() + Math.rint(STEPS_A_BIT * Math.log(planned) / Math.log(2));
        return wasteByKind
                .computeIfAbsent(point, same -> wasteOfOne(kind, planned))
                .map(waste -> waste * rate)
                .orElseGet(() -> traffic.wastedReads(rate, kind.keepsRepairs()));
    }

    /** What is wasted for a rate of one, if the rate is about the given one; empty if there is no such filter. */
    private Optional<Double> wasteOfOne(Kind kind, double fpp) {
        double wasted = 0;
        long counted = 0;
        double rates = 0;
        try {
            for (int filter = 0; filter < MOST_FILTERS && counted < ENOUGH; filter++) {
                Count count = ask(kind, fpp, filter);
                counted += count.falsePositives;
                wasted += count.scaled;
                rates += count.rate;
            }
        } catch (IllegalArgumentException | FilterFullException e) {
            return Optional.empty();
        }
        return Optional.of(wasted / rates / share);
    }

    /** What became of one filter: its rate, its false positives, and those for all queries. */
    private record Count(double rate, long falsePositives, double scaled) {}

    private Count ask(Kind kind, double fpp, int number) {
        KeySpace space = new KeySpace(SEED + number);
        long[] keys = space.stored(keyCount);
        FilterSpec spec = FilterSpec.of(keyCount, fpp).withSeed(number);
        AdaptiveFilter filter =
                (AdaptiveFilter) Contenders.find(kind.name(), 0).fill(spec, RehashableMemoryHashes.of(keys), keys);
        double rate = filter.expectedFpp();
        SplittableRandom random = new SplittableRandom(SEED - number);
        int asked = (int) Math.min(MOST_QUERIES, Math.ceil(misses));
        int lastQuarter = asked - asked / 4;
        long falsePositives = 0;
        long late = 0;
        for (int i = 0; i < asked; i++) {
            long query = space.foreign(draw(random));
            if (filter.mightContainHash(query)) {
                filter.repairHash(query);
                falsePositives++;
                late += i >= lastQuarter ? 1 : 0;
            }
        }
        double rest = late / Math.max(1.0, asked - lastQuarter) * (misses - asked);
        return new Count(rate, falsePositives, falsePositives + rest);
    }

    private int draw(SplittableRandom random) {
        double point = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, point);
        return Math.min(found < 0 ? -found - 1 : found + 1, cumulative.length - 1);
    }
}
