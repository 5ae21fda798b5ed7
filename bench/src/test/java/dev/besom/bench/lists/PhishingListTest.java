package dev.besom.bench.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.hash.Mix;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PhishingListTest {

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, 5, stream)).toArray();
    }

    @Test
    void domainsAreReadOutOfTheConfiguration() throws IOException {
        String json = "{\"version\": 2, \"whitelist\": [\n \"a.org\", \"b.org\"\n], \"blacklist\":[\"c.org\"]}";
        assertThat(PhishingList.texts(json, "whitelist")).containsExactly("a.org", "b.org");
        assertThat(PhishingList.texts(json, "blacklist")).containsExactly("c.org");
        assertThatThrownBy(() -> PhishingList.texts(json, "greylist")).hasMessageContaining("no array greylist");
    }

    @Test
    void noWayLosesAKeyAndExactWaysAreRightAboutAllOthersTheyKnow() {
        List<ListWays.Row> rows = new ListWays(hashes(3_000, 1), hashes(2_000, 2), hashes(2_000, 3)).rows(0.01);
        assertThat(rows).allMatch(row -> row.lost() == 0);
        assertThat(rows.subList(1, 4)).allMatch(row -> row.wrong() == 0);
        assertThat(rows.get(6).wrong()).isPositive();
        assertThat(rows.get(2).size()).isBetween(rows.get(0).size(), rows.get(1).size() + 20_000);
    }
}
