package dev.besom.lab.experiment;

import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.lab.race.Referee;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.race.Tally;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.KeySpace;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The adversary of the telescoping paper, Figure 4 right: a set {@code Q} of queries is whittled down to those that stay
 * false positives; the rate of the last round over {@code |Q|/|S|}.
 *
 * <p>Departures: the paper does not say how many keys it stored, nor how many rounds it played at most: here they are
 * 2^18 slots at a load of 0.95, and {@value Adversary#DEFAULT_ROUNDS} rounds. More slots would be more of the same: whether
 * repairs have room is decided in each block of 64, of which there are 4096. All filters have the same memory: see {@link
 * TelescopingPaper}.
 */
final class TelescopingFigure4 implements Experiment {

    private static final double[] QUICK_RATIOS = {1, 5, 10, 20, 30, 40, 60, 80, 100};
    private static final double[] FULL_RATIOS = {1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100};
    private static final int QUICK_SLOTS = 1 << 12;
    private static final int FULL_SLOTS = 1 << 18;

    /** On one processor. */
    private static final int FULL_MINUTES = 22;

    @Override
    public Description description() {
        return new Description(
                "telescoping-figure-4-adversary",
                "An adversary who repeats what was wrong",
                TelescopingPaper.CITATION,
                "Figure 4, right",
                "The rate of the last round, in which the adversary asks only what was wrong before. Where the line of an"
                        + " adaptive filter leaves 0, the different queries outgrow its room for repairs; the paper's"
                        + " filter begins to fail at about 20 queries a stored key. At the far left the first round"
                        + " already ends the game.");
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL ? AllProcessors.minutes(FULL_MINUTES) : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        double[] ratios = conditions.choose(QUICK_RATIOS, FULL_RATIOS);
        int slots = conditions.choose(QUICK_SLOTS, FULL_SLOTS);
        int stored = (int) (slots * TelescopingPaper.LOAD);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored(stored);
        StoredKeys dictionary = new StoredKeys(keys);
        long bits = TelescopingPaper.bitsFor(stored);
        List<Game> games = new ArrayList<>();
        for (Contestant contestant : TelescopingPaper.IN_EQUAL_SPACE) {
            for (double ratio : ratios) {
                games.add(new Game(contestant, ratio));
            }
        }
        List<Tally> tallies = AllProcessors.play(games, game -> {
            conditions.progress("telescoping-figure-4-adversary, " + game.ratio + " " + game.contestant.label());
            return game.play(keys, dictionary, bits, space);
        });
        ResultTable.Builder table = ResultTable.columns(
                "|Q|/|S|", "kind", "rate of the last round", "rounds", "queries", "forgotten repairs", "bits a key");
        Map<String, List<Series.Point>> points = new LinkedHashMap<>();
        for (int i = 0; i < games.size(); i++) {
            Game game = games.get(i);
            Tally tally = tallies.get(i);
            points.computeIfAbsent(game.contestant.label(), label -> new ArrayList<>())
                    .add(new Series.Point(game.ratio, tally.rounds().lastRate()));
            table.row(
                    game.ratio,
                    game.contestant.label(),
                    tally.rounds().lastRate(),
                    tally.rounds().count(),
                    tally.answers().queries(),
                    tally.repairs().forgot(),
                    tally.sizeInBits() / (double) stored);
        }
        List<Series> series = new ArrayList<>();
        points.forEach((label, measured) -> series.add(Series.ours(label, measured)));
        Plot plot = new Plot(
                "",
                Plot.Axis.linear("|Q|/|S|: different queries for each stored key"),
                Plot.Axis.linear("false-positive rate of the last round"),
                series,
                List.of(new Plot.Mark(4, "paper: proven up to 4"), TelescopingPaper.LIMIT_MARK));
        return new Findings(
                Map.of(
                        "stored keys", String.format(Locale.ROOT, "%,d", stored),
                        "rounds at most", Integer.toString(Adversary.DEFAULT_ROUNDS)),
                List.of(plot),
                table.end());
    }

    /** One filter against one adversary. */
    private record Game(Contestant contestant, double ratio) {

        Tally play(long[] keys, StoredKeys dictionary, long bits, KeySpace space) {
            StoredHashes stored = contestant.movesHashes() ? RehashableMemoryHashes.of(keys) : dictionary;
            InsertableFilter filter = contestant.make(keys.length, bits, space.seed(), stored);
            filter.insertHashes(keys, 0, keys.length);
            Referee referee = new Referee(filter, dictionary);
            Adversary adversary = new Adversary("adversary:" + ratio, ratio, Adversary.DEFAULT_ROUNDS);
            Tally tally = referee.tally(referee.play(adversary, space));
            if (tally.answers().falseNegatives() > 0) {
                throw new IllegalStateException(
                        contestant.label() + " lost " + tally.answers().falseNegatives() + " keys");
            }
            return tally;
        }
    }
}
