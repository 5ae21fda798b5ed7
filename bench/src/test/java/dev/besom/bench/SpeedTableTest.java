package dev.besom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.lab.race.RaceResult;
import dev.besom.lab.race.RaceSpec;
import dev.besom.lab.race.Spread;
import dev.besom.lab.race.Tally;
import dev.besom.lab.race.TimeSpreads;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedTableTest {

    private static RaceResult result(String kind, double nanos) {
        Spread spread = new Spread(nanos, nanos / 2, nanos * 2);
        return new RaceResult(
                kind,
                3000,
                9.6,
                new TimeSpreads(
                        spread,
                        spread,
                        new TimeSpreads.Queries(spread, spread, spread),
                        new TimeSpreads.Queries(spread, spread, spread),
                        0),
                new Tally(
                        new Tally.Answers(1000, 10, 10, 10, 0),
                        new Tally.Repairs(0, 0, 0, new Tally.StoreCost(0, 0, 0)),
                        Tally.Rounds.NONE,
                        Tally.Changes.NONE,
                        28_800));
    }

    @Test
    void aRowHoldsTimesAndTheirRatioToTheFirst() {
        RaceSpec spec = RaceSpec.of("bloom", "peer:spark").toSpec();

        assertThat(SpeedTable.markdown(spec, List.of(result("bloom", 4), result("peer:spark", 10))))
                .contains("n = 3,000")
                .contains("\n| bloom | 9.60 | 0.01000 | 4.0 (2.0-8.0) | 1.00 | ")
                .contains("\n| peer:spark | 9.60 | 0.01000 | 10.0 (5.0-20.0) | 2.50 | ");
    }
}
