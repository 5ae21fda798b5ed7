package dev.besom.lab.experiment;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.broom.BroomFilter;
import dev.besom.filters.Filters;
import dev.besom.lab.game.Arena;
import dev.besom.lab.game.Play;
import dev.besom.lab.game.Strategy;
import dev.besom.math.Gamma;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lemma 6 of the broom paper: for ever so many false positives, the rate stays and the space stays. One filter plays against
 * all strategies that leave the stored keys as they are, in turns, until a hundred false positives have been repaired for
 * each stored key.
 *
 * <p>The rate is that of each block of 10^6 queries, the worst of which is held against a bound: the number of
 * false positives that one of all blocks exceeds with a chance of 1 in 1000, if each query is one with the planned rate.
 */
final class BroomSustainedRate implements Experiment {

    private static final String NAME = "broom-sustained-rate";
    private static final Strategy[] STRATEGIES = {
        Strategy.INTERLEAVE, Strategy.ALTERNATE, Strategy.WHITTLE, Strategy.REPEAT
    };
    private static final int FALSE_POSITIVES_A_KEY = 100;
    private static final int ROWS = 20;

    /** The chance that the bound is exceeded by chance, by any block. */
    private static final double ALARM = 1e-3;

    /** What the spill may add to the bins, by default. */
    private static final double SPILL_BITS_A_KEY = 0.14 + 64 * BroomPaper.FPP * BroomPaper.FPP;

    private static final int SPARE_BITS = 64 * Long.SIZE;

    @Override
    public Description description() {
        return new Description(
                NAME,
                "The rate over a hundred false positives for each key",
                BroomPaper.CITATION,
                "Definition 1 and Lemma 6",
                "Adversaries who repeat, whittle, interleave and alternate play in turns. Drawn are the rate of each block of a"
                        + " million queries, beside the most that the planned rate and chance explain, and the memory,"
                        + " beside what bins and spill may take.");
    }

    /** What a stretch of the game looked like at its end. */
    private record Stretch(double falsePositivesAKey, double rate, double worst, double bits, double extensionBits) {}

    @Override
    public Findings run(Conditions conditions) {
        return run(conditions, conditions.choose(2_000, 20_000), FALSE_POSITIVES_A_KEY);
    }

    Findings run(Conditions conditions, int keys, int falsePositivesAKey) {
        Arena arena = new Arena(
                Filters.kind("broom"),
                FilterSpec.of(keys, BroomPaper.FPP).withSeed(conditions.seed()),
                conditions.seed());
        BroomFilter filter = (BroomFilter) arena.filter();
        double firstBits = filter.sizeInBits() / (double) keys;
        long wanted = (long) falsePositivesAKey * keys;
        // A turn is long enough to age out what was learned in it.
        long turn = Math.max(4, Math.round(5 * keys / BroomPaper.FPP / Play.BLOCK)) * Play.BLOCK;
        List<Long> blocks = new ArrayList<>();
        List<Stretch> stretches = new ArrayList<>();
        Stretches recorder = new Stretches(filter, keys, wanted, blocks, stretches);
        for (int i = 0; repairs(filter) < wanted; i++) {
            Strategy strategy = STRATEGIES[i % STRATEGIES.length];
            conditions.progress(NAME + ", " + strategy.label());
            arena.play(strategy, turn, recorder::block);
        }
        recorder.end();
        long bound = mostIn(Play.BLOCK, BroomPaper.FPP, ALARM / blocks.size());
        double mostBits = firstBits + SPILL_BITS_A_KEY + SPARE_BITS / (double) keys;
        ResultTable.Builder table = ResultTable.columns(
                "false positives a key",
                "rate",
                "worst block",
                "bound of the worst",
                "bits a key",
                "bits of extensions a key");
        for (Stretch each : stretches) {
            table.row(
                    each.falsePositivesAKey,
                    each.rate,
                    each.worst,
                    bound / (double) Play.BLOCK,
                    each.bits,
                    each.extensionBits);
        }
        double[] xs =
                stretches.stream().mapToDouble(Stretch::falsePositivesAKey).toArray();
        Plot rates = new Plot(
                "Rate of blocks of 10^6 queries",
                Plot.Axis.linear("false positives so far, for each stored key"),
                Plot.Axis.linear("false-positive rate"),
                List.of(
                        Series.ours("worst block", points(stretches, true)),
                        Series.ours("mean", points(stretches, false)),
                        Series.theory("planned rate", xs, x -> BroomPaper.FPP),
                        Series.theory("bound of the worst block", xs, x -> bound / (double) Play.BLOCK)));
        Plot space = new Plot(
                "Memory",
                Plot.Axis.linear("false positives so far, for each stored key"),
                Plot.Axis.linear("bits a key"),
                List.of(
                        Series.ours(
                                "broom",
                                stretches.stream()
                                        .map(each -> new Series.Point(each.falsePositivesAKey, each.bits))
                                        .toList()),
                        Series.theory("bound", xs, x -> mostBits)));
        return new Findings(
                Map.of(
                        "stored keys", String.format(Locale.ROOT, "%,d", keys),
                        "rate", "1/256",
                        "queries", String.format(Locale.ROOT, "%,d", (long) blocks.size() * Play.BLOCK),
                        "repairs", String.format(Locale.ROOT, "%,d", repairs(filter)),
                        "forgotten repairs",
                                String.format(
                                        Locale.ROOT,
                                        "%,d",
                                        filter.binStatistics().forgotten()),
                        "keys moved",
                                String.format(
                                        Locale.ROOT,
                                        "%,d",
                                        filter.adaptationStatistics().movedKeys())),
                List.of(rates, space),
                table.end());
    }

    private static long repairs(AdaptiveFilter filter) {
        return filter.adaptationStatistics().repairs();
    }

    private static List<Series.Point> points(List<Stretch> stretches, boolean isWorst) {
        return stretches.stream()
                .map(each -> new Series.Point(each.falsePositivesAKey, isWorst ? each.worst : each.rate))
                .toList();
    }

    /** Divides blocks into stretches of equally many repairs. */
    private static final class Stretches {

        private final BroomFilter filter;
        private final int keys;
        private final long wanted;
        private final List<Long> blocks;
        private final List<Stretch> stretches;
        private int firstBlock;

        Stretches(BroomFilter filter, int keys, long wanted, List<Long> blocks, List<Stretch> stretches) {
            this.filter = filter;
            this.keys = keys;
            this.wanted = wanted;
            this.blocks = blocks;
            this.stretches = stretches;
        }

        void block(long wrong) {
            blocks.add(wrong);
            if (repairs(filter) >= wanted * (stretches.size() + 1) / ROWS) {
                end();
            }
        }

        void end() {
            List<Long> own = blocks.subList(firstBlock, blocks.size());
            if (!own.isEmpty()) {
                stretches.add(new Stretch(
                        repairs(filter) / (double) keys,
                        own.stream().mapToLong(Long::longValue).average().orElseThrow() / Play.BLOCK,
                        own.stream().mapToLong(Long::longValue).max().orElseThrow() / (double) Play.BLOCK,
                        filter.sizeInBits() / (double) keys,
                        filter.binStatistics().extensionBits() / (double) keys));
                firstBlock = blocks.size();
            }
        }
    }

    /** The least number that a binomial variable exceeds with no more than the given chance. */
    static long mostIn(long trials, double rate, double chance) {
        double mean = trials * rate;
        long number = Math.min(trials, (long) (mean + 20 * Math.sqrt(mean) + 20));
        double above = 0;
        while (number > 0) {
            above += Math.exp(
                    Gamma.logChoose(trials, number) + number * Math.log(rate) + (trials - number) * Math.log1p(-rate));
            if (above > chance) {
                return number;
            }
            number--;
        }
        return 0;
    }
}
