package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("Footprint")
class DaisyExperimentsTest {

    private static ResultTable run(String name) {
        return Experiments.run(Experiments.find(List.of(name)).get(0), Conditions.of(Scale.QUICK, 1))
                .findings()
                .table();
    }

    private static double cell(ResultTable table, List<Object> row, String column) {
        return (Double) row.get(table.columns().indexOf(column));
    }

    @Test
    void spaceFallsWithSkewAsTheFormulaHasItAndTheRateIsKept() {
        ResultTable table = run("daisy-space-by-skew");
        double before = Double.POSITIVE_INFINITY;
        for (List<Object> row : table.rows()) {
            double exponent = cell(table, row, "exponent");
            double daisy = cell(table, row, "daisy");
            assertThat(daisy).as("exponent %s", exponent).isLessThan(before);
            assertThat(daisy)
                    .as("exponent %s", exponent)
                    .isBetween(
                            0.99 * cell(table, row, "daisy by formula"), 1.13 * cell(table, row, "daisy by formula"));
            assertThat(cell(table, row, "rate of daisy")).isBetween(0.006, 0.0113);
            assertThat(cell(table, row, "rate of daisy-fingerprint")).isLessThan(0.0113);
            if (exponent >= 0.6) {
                assertThat(daisy).as("exponent %s", exponent).isLessThan(cell(table, row, "bloom"));
            }
            before = daisy;
        }
    }

    @Test
    void anErrorOfTheDistributionCostsItsLogarithmInSpaceAndItselfInRate() {
        ResultTable table = run("daisy-rate-by-error");
        double right = table.rows().stream()
                .filter(row -> cell(table, row, "by a factor of") == 1)
                .mapToDouble(row -> cell(table, row, "bits a draw"))
                .findFirst()
                .orElseThrow();
        for (List<Object> row : table.rows()) {
            double factor = cell(table, row, "by a factor of");
            double off = Math.max(factor, 1 / factor);
            assertThat(cell(table, row, "rate")).as("%s", row).isLessThan(1.2 * 0.01 * off);
            assertThat(cell(table, row, "bits a draw"))
                    .as("%s", row)
                    .isLessThan(right + 1.45 * (Math.log(off) / Math.log(2) + 0.5));
        }
    }

    @Test
    void everySetKeepsTheBoundsOfThePaperAndNearlyTheRate() {
        ResultTable table = new DaisyRateOverSets()
                .run(Conditions.of(Scale.QUICK, 1), 8, 5_000, 50_000)
                .table();
        assertThat(table.rows()).hasSize(3).allSatisfy(row -> {
            assertThat(cell(table, row, "highest rate")).as("%s", row).isLessThan(cell(table, row, "bound"));
            assertThat(cell(table, row, "lowest rate")).as("%s", row).isPositive();
        });
        // Five standard deviations of 500 false positives.
        assertThat(cell(table, table.rows().get(0), "highest rate")).isLessThan(0.01 * 1.35);
    }

    /** 10 ln n slots have two words of metadata in 64 slots, 770 ln n have remainders of 8 bits too. */
    @Test
    void noOperationOfAFullFingerprintFilterTouchesMoreThanTheLogarithmAllows() {
        double n = 100_000;
        ResultTable table = new DaisyWordsTouched()
                .run(Conditions.of(Scale.QUICK, 1), new double[] {n}, 5_000)
                .table();
        double querySlots = 10 * Math.log(n);
        double insertSlots = 770 * Math.log(n);
        assertThat(table.rows()).hasSize(3);
        for (List<Object> row : table.rows()) {
            boolean isInsert = row.get(1).equals("insert");
            double slots = isInsert ? insertSlots : querySlots;
            double bound = isInsert ? slots * 10 / 64 + slots / 512 : 3 * slots / 64;
            assertThat(cell(table, row, "most")).as("%s", row).isBetween(1.0, bound + 8);
            assertThat(cell(table, row, "words, mean")).as("%s", row).isBetween(1.0, isInsert ? 120.0 : 6.0);
        }
    }
}
