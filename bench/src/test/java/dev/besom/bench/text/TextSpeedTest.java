package dev.besom.bench.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextSpeedTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bloom",
                "bloom:chars",
                "peer:guava",
                "peer:datasketches",
                "peer:spark",
                "peer:parquet",
                "peer:commons-collections"
            })
    void everyFilterKeepsItsTextsAndAboutTheRate(String name) {
        double[] measured = TextSpeed.measure(name, 5_000, 0.01);
        assertThat(measured[3]).isBetween(0.001, 0.03);
    }

    @Test
    void aRowHoldsMediansAndTheirRatioToTheFirst() {
        Map<String, List<double[]>> results = new LinkedHashMap<>();
        results.put("bloom", List.of(new double[] {10, 20, 30, 0.01}));
        results.put("peer:guava", List.of(new double[] {25, 20, 90, 0.01}));
        assertThat(TextSpeed.markdown(5_000, 0.01, results))
                .contains("n = 5,000 texts")
                .contains("| peer:guava | 0.01000 | 25.0 (25.0-25.0) | 2.50 | 20.0 (20.0-20.0) | 1.00 | 90.0");
    }
}
