package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TelescopingSelectorsTest {

    /**
     * Selectors follow the two laws, within seven standard deviations of their counts: keys of one run are hit by the same queries,
     * so that counts vary a little more than independent ones.
     */
    @Test
    void selectorsAreThoseOfQueriesAskedOnceOrRepeatedInAnyOrder() {
        assertLaws(1 << 14);
    }

    /** As many keys as tell one step of a query from two, and equal chances from those of a random number of queries. */
    @Test
    @Tag("thorough")
    void selectorsOfManyKeysAreThoseOfTheLaws() {
        assertLaws(1 << 21);
    }

    private static void assertLaws(int slots) {
        double keys = (int) (slots * TelescopingPaper.LOAD);
        ResultTable table = new TelescopingSelectors()
                .run(Conditions.of(Scale.QUICK, 1), slots)
                .table();
        assertThat(table.rows()).hasSize(2 * 8 * 6).allSatisfy(row -> {
            double law = (Double) row.get(6);
            assertThat((Double) row.get(3)).as("%s", row).isCloseTo(law, within(7 * Math.sqrt(law / keys) + 4 / keys));
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
    }

    @Test
    void theLawsAreDistributions() {
        double once = 0;
        double repeated = 0;
        double steps = 0;
        for (int k = 0; k < 200; k++) {
            once += TelescopingSelectors.once(k, 30, 0.02);
            steps += k * TelescopingSelectors.once(k, 30, 0.02);
            repeated += TelescopingSelectors.repeated(k, 30, 0.02);
        }
        assertThat(once).isCloseTo(1, within(1e-12));
        assertThat(repeated).isCloseTo(1, within(1e-9));
        // Each of the queries that collide takes 1 / (1 - r) steps on average.
        assertThat(steps).isCloseTo(30 * 0.02 / 0.98, within(1e-9));
    }
}
