package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TelescopingSelectorsTest {

    private static final int KEYS = (int) ((1 << 14) * TelescopingPaper.LOAD);

    /**
     * Selectors follow the two laws, within six standard deviations of their counts and a twentieth: keys of one run are hit by the
     * same queries, and one selector in 256 is skipped.
     */
    @Test
    void selectorsAreThoseOfQueriesAskedOnceOrRepeatedInAnyOrder() {
        ResultTable table = new TelescopingSelectors()
                .run(Conditions.of(Scale.QUICK, 1), 1 << 14)
                .table();
        assertThat(table.rows()).hasSize(2 * 8 * 6).allSatisfy(row -> {
            double measured = (Double) row.get(3);
            double law = (Double) row.get(6);
            double sigma = Math.sqrt(law / KEYS);
            assertThat(measured).as("%s", row).isCloseTo(law, within(0.05 * law + 6 * sigma + 2.0 / KEYS));
        });
        assertThat(table.rows()).filteredOn(row -> row.get(1).equals("once")).allSatisfy(row -> {
            double bound = (Double) row.get(4);
            assertThat((Double) row.get(3))
                    .as("%s", row)
                    .isLessThan(1.03 * bound + 6 * Math.sqrt(bound / KEYS) + 2.0 / KEYS);
        });
    }

    @Test
    void repeatedQueriesExceedTheBoundOfCorollary3AndKeepThatOfTheorem4() {
        ResultTable table = new TelescopingSelectors()
                .run(Conditions.of(Scale.QUICK, 2), 1 << 14)
                .table();
        // Five keys or so have a selector of 3, and twenty one of 4: a wide margin around 4 and 11 times the bound.
        List<Object> third = row(table, 20, 3);
        assertThat((Double) third.get(5)).isBetween(1.01, 11.0);
        List<Object> fourth = row(table, 60, 4);
        assertThat((Double) fourth.get(5)).isBetween(4.0, 19.0);
        assertThat(table.rows())
                .filteredOn(row -> !((Double) row.get(8)).isNaN())
                .isNotEmpty()
                .allSatisfy(row -> assertThat((Double) row.get(7)).isLessThan((Double) row.get(8)));
    }

    private static List<Object> row(ResultTable table, double queriesAKey, double selector) {
        return table.rows().stream()
                .filter(row -> row.get(0).equals(queriesAKey)
                        && row.get(1).equals("repeated")
                        && row.get(2).equals(selector))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theBoundsAreThoseOfThePaper() {
        // With a rate of 1/256 and b = 4 the paper has 4/9 + 1/e bits for 4 queries a key.
        assertThat(TelescopingSelectors.boundOfBits(4, 1.0 / 256)).isCloseTo(4.0 / 9 + 1 / Math.E, within(1e-12));
        assertThat(TelescopingSelectors.boundOfBits(9, 1.0 / 256)).isNaN();
        assertThat(TelescopingSelectors.bound(2, 10, 0.01)).isCloseTo(1e-4 * (10 + 50), within(1e-15));
        double sum = 0;
        double other = 0;
        for (int k = 0; k < 60; k++) {
            sum += TelescopingSelectors.poisson(k, 30, 0.01);
            other += TelescopingSelectors.geometric(k, 30, 0.01);
        }
        assertThat(sum).isCloseTo(1, within(1e-12));
        assertThat(other).isCloseTo(1, within(1e-12));
    }
}
