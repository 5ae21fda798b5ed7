package dev.besom.bench.names;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.bench.NpmArchive;
import dev.besom.codec.FilterCodec;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Machine;
import dev.besom.lab.race.StoredKeys;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Real names in logs in which most lookups are hits.
 *
 * <pre>
 *   stored    some of the names, each as likely as any other
 *   log       a stored name with the share of hits, drawn by weight; else one that is not stored, drawn by weight;
 *             the first 1 % is the sample, all else is asked
 * </pre>
 *
 * Rates are those of misses; wasted reads are for each million queries, hits included. Adaptive filters repair what they are
 * caught in. Means of some filters with different seeds.
 *
 * <p>Argument: the archive that {@link RealNames} reads; without it npm fetches it.
 */
public final class HitShares {

    private static final String ENTRY = "package/counts.json";
    private static final long SEED = 20_240_602;
    private static final double[] SHARES = {0.5, 0.9, 0.99};
    private static final List<String> KINDS =
            List.of("bloom", "telescoping", "daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned");
    private static final double MILLION = 1e6;

    private final NamesArchive names;
    private final Size size;
    private final long[] stored;
    private final StoredKeys isStored;
    private final Urn hits;
    private final Urn misses;

    /**
     * How much there is of everything.
     *
     * @param stored names
     * @param log queries
     * @param filters of each kind
     */
    record Size(int stored, int log, int filters) {}

    /**
     * How a kind fared.
     *
     * @param hits the share of hits in the log
     * @param kind which
     * @param bitsPerKey of its file or its memory, whichever is more
     * @param rate false positives for each miss
     * @param wastedPerMillion wasted reads for each million queries
     */
    record Row(double hits, String kind, double bitsPerKey, double rate, double wastedPerMillion) {}

    HitShares(NamesArchive names, Size size) {
        this.names = names;
        this.size = size;
        SplittableRandom random = new SplittableRandom(SEED);
        boolean[] isChosen = new boolean[names.size()];
        stored = new long[size.stored];
        for (int i = 0; i < size.stored; ) {
            int name = random.nextInt(names.size());
            if (!isChosen[name]) {
                isChosen[name] = true;
                stored[i++] = names.hash(name);
            }
        }
        isStored = new StoredKeys(stored);
        hits = new Urn(isChosen, true);
        misses = new Urn(isChosen, false);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        NpmArchive.use(arguments, RealNames.PACKAGE, HitShares::print);
    }

    private static void print(Path archive) throws IOException {
        HitShares shares = new HitShares(NamesArchive.read(archive, ENTRY), new Size(300_000, 5_000_000, 5));
        System.out.println("| hits | kind | bits a key | rate over misses | wasted reads a million queries |");
        System.out.println("| ---: | --- | ---: | ---: | ---: |");
        for (Row row : shares.run(0.01)) {
            System.out.printf(
                    Locale.ROOT,
                    "| %.0f %% | `%s` | %.2f | %.3f %% | %.0f |%n",
                    100 * row.hits,
                    row.kind,
                    row.bitsPerKey,
                    100 * row.rate,
                    row.wastedPerMillion);
        }
        System.out.println(Machine.description());
    }

    /** All kinds with all shares of hits. */
    List<Row> run(double fpp) {
        List<Row> rows = new ArrayList<>();
        for (double share : SHARES) {
            long[] log = log(share);
            Distribution learned = learn(log, fpp);
            for (String kind : KINDS) {
                rows.add(row(share, Filters.kind(kind), log, fpp, learned));
            }
        }
        return rows;
    }

    private long[] log(double share) {
        SplittableRandom random = new SplittableRandom(Mix.mix(SEED + Math.round(1000 * share)));
        long[] log = new long[size.log];
        for (int i = 0; i < log.length; i++) {
            log[i] = (random.nextDouble() < share ? hits : misses).draw(random);
        }
        return log;
    }

    private int sampleEnd() {
        return size.log / 100;
    }

    private Distribution learn(long[] log, double fpp) {
        DistributionLearner learner = new DistributionLearner();
        for (long key : stored) {
            learner.addKey(key);
        }
        for (int i = 0; i < sampleEnd(); i++) {
            if (isStored.contains(log[i])) {
                learner.addHit();
            } else {
                learner.addMiss(log[i]);
            }
        }
        return learner.learn(stored.length, fpp);
    }

    private Row row(double share, Kind kind, long[] log, double fpp, Distribution learned) {
        double rate = 0;
        double wasted = 0;
        long bits = 0;
        for (int i = 0; i < size.filters; i++) {
            FilterSpec spec = FilterSpec.of(stored.length, fpp).withSeed(Mix.mix(SEED + i));
            PersistentFilter filter = Filters.takesDistribution(kind)
                    ? Filters.makeHashFilter(kind, spec, learned)
                    : kind.make(spec, isStored);
            ((InsertableFilter) filter).insertHashes(stored, 0, stored.length);
            bits = Math.max(
                    filter.sizeInBits(),
                    Byte.SIZE
                            * FilterCodec.serializedSizeInBytes(
                                    filter, KeyHasher.utf8().stamp()));
            long[] missedAndWasted = ask(filter, log);
            rate += missedAndWasted[1] / (double) missedAndWasted[0] / size.filters;
            wasted += missedAndWasted[1] * MILLION / (log.length - sampleEnd()) / size.filters;
        }
        return new Row(share, kind.name(), bits / (double) stored.length, rate, wasted);
    }

    private long[] ask(MembershipFilter filter, long[] log) {
        long missed = 0;
        long wasted = 0;
        for (int i = sampleEnd(); i < log.length; i++) {
            if (isStored.contains(log[i])) {
                continue;
            }
            missed++;
            if (filter.mightContainHash(log[i])) {
                wasted++;
                if (filter instanceof AdaptiveFilter adaptive) {
                    adaptive.repairHash(log[i]);
                }
            }
        }
        return new long[] {missed, wasted};
    }

    /** Names that are drawn by weight. */
    private final class Urn {

        private final int[] members;
        private final double[] sums;

        Urn(boolean[] isChosen, boolean wanted) {
            int count = 0;
            for (boolean chosen : isChosen) {
                count += chosen == wanted ? 1 : 0;
            }
            members = new int[count];
            sums = new double[count];
            double sum = 0;
            int next = 0;
            for (int i = 0; i < isChosen.length; i++) {
                if (isChosen[i] == wanted) {
                    sum += names.weight(i);
                    members[next] = i;
                    sums[next++] = sum;
                }
            }
        }

        long draw(SplittableRandom random) {
            int place = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
            return names.hash(members[Math.min(sums.length - 1, place < 0 ? -place - 1 : place)]);
        }
    }
}
