package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.hash.Mix;
import dev.besom.lab.workload.KeyList;
import dev.besom.lab.workload.KeySource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("Footprint")
class ExperimentsTest {

    private static final Conditions QUICK = Conditions.of(Scale.QUICK, 1);

    @Test
    void everyExperimentHasANameOfItsOwnAndSaysWhatToSee() {
        List<Description> descriptions =
                Experiments.all().stream().map(Experiment::description).toList();
        assertThat(descriptions.stream().map(Description::name)).doesNotHaveDuplicates();
        assertThat(descriptions.stream().map(Description::title)).doesNotHaveDuplicates();
        for (Description description : descriptions) {
            assertThat(description.title()).isNotBlank();
            assertThat(description.paper()).isNotBlank();
            assertThat(description.figure()).isNotBlank();
            assertThat(description.toSee()).endsWith(".");
        }
    }

    /** What a run shows is said by sentences that are computed from it, and what a paper says is its own. */
    @Test
    void captionsSayWhatIsDrawnAndDoNotJudge() {
        Pattern judgement = Pattern.compile(
                "\\b(better|worse|best|worst|fewest|least|faster|slower|ahead|wins|rises|falls|hardly|far below|never)\\b");
        for (Experiment experiment : Experiments.all()) {
            for (String sentence : experiment.description().toSee().split("(?<=\\.) ", -1)) {
                boolean isCited = sentence.contains("paper") || sentence.contains("By theory");
                assertThat(isCited || !judgement.matcher(sentence).find())
                        .as("%s: %s", experiment.description().name(), sentence)
                        .isTrue();
            }
        }
    }

    /** The paper's numbers are those without counters and 2.4 bits more; here a counter takes two bits of each slot. */
    @Test
    void countersOfRankIndexedHashingTakeWhatThePaperHas() {
        ResultTable table = TinySetTable.four().run(QUICK).table();
        List<List<Object>> counted = table.rows().stream()
                .filter(row -> row.get(0).equals("rank-indexed, with counters"))
                .toList();
        assertThat(counted).hasSize(3).allSatisfy(row -> {
            double paper = table.number(row, "bits in the paper");
            assertThat(table.number(row, "bits a key")).as("%s", row).isBetween(0.93 * paper, 1.05 * paper);
            assertThat(table.number(row, "rate measured")).isLessThan(1.5 * table.number(row, "rate asked for"));
        });
    }

    @Test
    void anUnknownNameIsRefusedWithAListOfTheKnown() {
        assertThatThrownBy(() -> Experiments.find(List.of("nope")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'nope'")
                .hasMessageContaining("telescoping-figure-2-active");
    }

    @Test
    void theExperimentOnATraceAsksForTheFile() {
        Experiment trace =
                Experiments.find(List.of("telescoping-figure-3-trace")).get(0);
        assertThatThrownBy(() -> Experiments.run(trace, QUICK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--queries-file");
    }

    @Test
    void onATraceThatRepeatsTheAdaptiveFiltersAreWrongLessOftenInTheSameMemory() {
        KeySource trace = new KeyList(
                List.of("a/trace of a week", "--format", "lines"),
                LongStream.range(0, 120_000).map(i -> Mix.mix(i % 8000)).toArray());
        Conditions conditions = new Conditions(Scale.QUICK, 1, Optional.of(trace), step -> {});
        ExperimentResult result = Experiments.run(
                Experiments.find(List.of("telescoping-figure-3-trace")).get(0), conditions);

        assertThat(result.provenance().command())
                .contains("--experiments telescoping-figure-3-trace")
                .contains("--queries-file 'a/trace of a week' --format lines");
        assertThat(result.findings().parameters())
                .containsEntry("queries", "120,000")
                .containsEntry("different queries", "8,000")
                .containsEntry("file of queries", "trace of a week");
        Plot plot = result.findings().plots().get(0);
        double adaptive =
                points(plot, Series.Origin.OURS, "telescoping-compact").get(3).y();
        assertThat(adaptive).isPositive();
        for (String fixed : List.of("bloom", "quotient")) {
            assertThat(points(plot, Series.Origin.OURS, fixed).get(3).y())
                    .as(fixed)
                    .isGreaterThan(2 * adaptive);
        }
        assertEqualSpace(result.findings().table());
    }

    /** Of each size that is not tiny, all kinds take at most the memory of the compact one, and most of it. */
    private static void assertEqualSpace(ResultTable table) {
        int stored = table.columns().indexOf("stored keys");
        int kind = table.columns().indexOf("kind");
        int bits = table.columns().indexOf("bits a key");
        table.rows().stream()
                .filter(row -> ((Number) row.get(stored)).doubleValue() >= 1600)
                .collect(Collectors.groupingBy(row -> row.get(stored)))
                .values()
                .forEach(rows -> {
                    double most = rows.stream()
                            .filter(row -> row.get(kind).equals("telescoping-compact"))
                            .mapToDouble(row -> (Double) row.get(bits))
                            .sum();
                    assertThat(rows).hasSizeGreaterThan(10);
                    assertThat(rows)
                            // A slot has whole bits, and a small table of the paper's has a spare block.
                            .allSatisfy(row -> assertThat((Double) row.get(bits))
                                    .as("%s", row)
                                    .isBetween(most * 0.9, most * 1.1));
                });
    }

    @Test
    void theRatesOfBloomFiltersFollowTheirFormulasBeyondThePlan() {
        Findings findings = new ClassicRateByKeys().run(QUICK);
        Plot rates = findings.plots().get(0);
        double queries = 400_000;
        Set<String> plain = Set.of("bloom", "counting-bloom");
        for (String kind : List.of("bloom", "counting-bloom", "composite-bloom", "blocked-bloom", "scalable-bloom")) {
            List<Series.Point> measured = points(rates, Series.Origin.OURS, kind);
            List<Series.Point> formula =
                    points(rates, Series.Origin.THEORY, plain.contains(kind) ? "bloom, counting" : kind);
            for (int i = 0; i < formula.size(); i++) {
                double predicted = formula.get(i).y();
                double sigma = Math.sqrt(predicted * (1 - predicted) / queries);
                assertThat(measured.get(i).y())
                        .as("%s at %s", kind, formula.get(i).x())
                        .isBetween(
                                predicted * 0.94 - 6 * sigma - 1 / queries, predicted * 1.06 + 6 * sigma + 1 / queries);
            }
        }
    }

    @Test
    void theRatesOfBloomFiltersFollowTheirFormulasForAnyNumberOfProbes() {
        ResultTable table = new ClassicRateByProbes().run(QUICK).table();
        double queries = 400_000;
        assertThat(table.rows()).hasSizeGreaterThan(60).allSatisfy(row -> {
            double measured = (Double) row.get(3);
            double predicted = (Double) row.get(4);
            double sigma = Math.sqrt(predicted * (1 - predicted) / queries);
            assertThat(measured).isBetween(predicted * 0.93 - 6 * sigma, predicted * 1.07 + 6 * sigma);
        });
    }

    @Test
    void timesOfTinySetStandBesideThoseThatThePaperPrints() {
        List<Plot> plots = new TinySetFigure11().run(QUICK).plots();
        assertThat(points(plots.get(0), Series.Origin.PAPER, "tinyset 64I"))
                .containsExactly(new Series.Point(160_000, 0.34 / 0.96));
        assertThat(points(plots.get(1), Series.Origin.PAPER, "tinyset 32I"))
                .containsExactly(new Series.Point(160_000, 0.05 / 0.98));
    }

    @Test
    void inEqualMemoryACacheIsEnoughForSkewAndBreaksUnderAnAdversary() {
        Findings findings = new RivalsBySkew().run(QUICK, 1_500, 30_000, 2);
        Plot skewed = findings.plots().get(0);
        Plot attacked = findings.plots().get(1);
        // Its fingerprints are a bit longer, and hardly a key of this stream comes back.
        assertThat(points(skewed, Series.Origin.OURS, "rival:cached-quotient")
                        .get(0)
                        .y())
                .isLessThan(
                        points(skewed, Series.Origin.OURS, "telescoping").get(0).y());
        // Forty different queries a key.
        for (String broken :
                List.of("bloom", "quotient", "rival:cached-quotient", "rival:cached-bloom", "rival:stacked")) {
            assertThat(points(attacked, Series.Origin.OURS, broken).get(4).y())
                    .as(broken)
                    .isGreaterThan(0.5);
        }
        assertThat(points(attacked, Series.Origin.OURS, "telescoping").get(4).y())
                .isLessThan(0.02);
        double bits = (Double) findings.table().rows().get(0).get(4);
        assertThat(findings.table().rows())
                .allSatisfy(row -> assertThat((Double) row.get(4)).as("%s", row).isBetween(0.88 * bits, 1.001 * bits));
    }

    @Test
    void theTableOfTimesHasAllRatesOfThePaper() {
        Findings findings = new TinySetTable2().run(QUICK, 20_000, 1);
        assertThat(findings.table().rows()).hasSize(6).allSatisfy(row -> {
            assertThat((Double) row.get(2)).isPositive();
            assertThat((Double) row.get(4)).isPositive();
        });
        assertThat(points(findings.plots().get(1), Series.Origin.PAPER, "tinyset 32I"))
                .contains(new Series.Point(0.0001, 0.05 / 1.29));
    }

    @Test
    void whatThePaperSaysOfTheEndOfFigure13IsAnswered() {
        Findings findings = TinySetSpaceFigure.thirteen().run(QUICK);
        assertThat(findings.parameters().keySet())
                .anyMatch(name -> name.startsWith("tinyset 32B") && name.contains("paper: about 9"))
                .anyMatch(name -> name.startsWith("tinyset 64B") && name.contains("paper: over 30"));
        Plot plot = findings.plots().get(0);
        // At nine bits there are thousands of false positives, and blocks of half the size are worse.
        assertThat(points(plot, Series.Origin.OURS, "blocked-bloom 32B").get(1).y())
                .isGreaterThan(points(plot, Series.Origin.OURS, "blocked-bloom 64B")
                        .get(1)
                        .y());
        assertThat(points(plot, Series.Origin.OURS, "tinyset 32B").get(1).y())
                .isLessThan(points(plot, Series.Origin.OURS, "blocked-bloom 32B")
                        .get(1)
                        .y());
    }

    @Test
    void aBloomFilterTunedForTheLastLoadIsBetterThereAndWorseBefore() {
        Plot plot = new TinySetFigure14().run(QUICK).plots().get(0);
        List<Series.Point> planned = points(plot, Series.Origin.THEORY, "bloom");
        List<Series.Point> tuned = points(plot, Series.Origin.THEORY, "bloom, tuned for the last load");
        int last = planned.size() - 1;
        assertThat(tuned.get(last).y()).isLessThan(planned.get(last).y());
        assertThat(tuned.get(4).y()).isGreaterThan(planned.get(4).y());
        double measured = points(plot, Series.Origin.OURS, "bloom, tuned for the last load")
                .get(last)
                .y();
        assertThat(measured / tuned.get(last).y()).isBetween(0.9, 1.1);
    }

    @Test
    void everyBlockOfABroomFiltersLifeKeepsItsRateAndItsSpace() {
        Findings findings = new BroomSustainedRate().run(QUICK, 1_000, 10);
        assertThat(findings.parameters()).containsEntry("forgotten repairs", "0");
        assertThat(findings.table().rows()).isNotEmpty().allSatisfy(row -> {
            double rate = (Double) row.get(1);
            double worst = (Double) row.get(2);
            assertThat(rate).isBetween(0.2 * BroomPaper.FPP, worst);
            assertThat(worst).isLessThanOrEqualTo((Double) row.get(3));
        });
        List<Series.Point> space = points(findings.plots().get(1), Series.Origin.OURS, "broom");
        double bound = points(findings.plots().get(1), Series.Origin.THEORY, "bound")
                .get(0)
                .y();
        assertThat(space).allSatisfy(point -> assertThat(point.y()).isLessThan(bound));
    }

    @Test
    void theBoundOfTheWorstBlockIsTheBinomialQuantile() {
        // P(more than 2 of 10) = 0.0702 and P(more than 3) = 0.0128 at a rate of 0.1.
        assertThat(BroomSustainedRate.mostIn(10, 0.1, 0.0703)).isEqualTo(2);
        assertThat(BroomSustainedRate.mostIn(10, 0.1, 0.0701)).isEqualTo(3);
    }

    @Test
    void threeTimesAsManyKeysLetABroomFiltersOperationsTouchNoMoreWords() {
        ResultTable table = new BroomWordsTouched()
                // In smaller filters bins are made for more keys, of which more are in overflow pages.
                .run(QUICK, new double[] {4e5, 1.2e6}, 6_000)
                .table();
        int operations = table.rows().size() / 2;
        for (int i = 0; i < operations; i++) {
            List<Object> small = table.rows().get(i);
            List<Object> large = table.rows().get(i + operations);
            assertThat(large.get(1)).isEqualTo(small.get(1));
            // A repair moves on other keys, which are in fewer bins where there are fewer.
            if (!small.get(1).equals("repair")) {
                double fewWords = (Double) small.get(5);
                assertThat((Double) large.get(5)).as("%s", large).isBetween(0.7 * fewWords, 1.4 * fewWords + 2);
                assertThat((Double) small.get(2)).as("%s", small).isBetween(2.0, 60.0);
            }
        }
    }

    @Test
    @Tag("thorough")
    void everyExperimentThatNeedsNoFileRunsQuickly() {
        for (Experiment experiment : Experiments.all()) {
            if (experiment.missing(QUICK).isEmpty()) {
                ExperimentResult result = Experiments.run(experiment, QUICK);
                assertThat(result.provenance().seconds())
                        .as(result.description().name())
                        .isLessThan(240);
                assertThat(result.findings().table().rows()).isNotEmpty();
            }
        }
    }

    private static List<Series.Point> points(Plot plot, Series.Origin origin, String name) {
        return plot.series().stream()
                .filter(series -> series.origin() == origin && series.name().equals(name))
                .findFirst()
                .orElseThrow()
                .points();
    }
}
