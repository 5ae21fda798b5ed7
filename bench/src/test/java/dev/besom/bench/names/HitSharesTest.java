package dev.besom.bench.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HitSharesTest {

    @TempDir
    Path folder = Path.of("");

    /** Names whose weights follow Zipf's law but for the hottest: whether a filter errs in one of those is luck. */
    private NamesArchive names(int count) throws IOException {
        StringBuilder counts = new StringBuilder("{");
        for (int i = 1; i <= count; i++) {
            counts.append(i == 1 ? "" : ",").append("\"name-").append(i).append("\": ");
            counts.append(100_000_000 / (i + 200));
        }
        Path file = TestArchive.write(
                folder.resolve("names.tgz"),
                Map.of("package/counts.json", counts.append('}').toString()));
        return NamesArchive.read(file, "package/counts.json");
    }

    /** The more hits a log has, the less there is to learn from; the rate over misses must hold all the same. */
    @Test
    void theRateOverMissesHoldsWhateverTheShareOfHits() throws IOException {
        double fpp = 0.02;
        List<HitShares.Row> rows = new HitShares(names(20_000), new HitShares.Size(2_000, 300_000, 6)).run(fpp);
        assertThat(rows).hasSize(18);
        for (HitShares.Row row : rows) {
            assertThat(row.rate())
                    .as("%s with %.0f %% hits", row.kind(), 100 * row.hits())
                    .isLessThan(2 * fpp);
            assertThat(row.wastedPerMillion()).isCloseTo(row.rate() * (1 - row.hits()) * 1e6, withPercentage(5));
            if (row.kind().equals("telescoping") && row.hits() < 0.6) {
                assertThat(row.rate()).isLessThan(fpp / 2);
            }
        }
    }
}
