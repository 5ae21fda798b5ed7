package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1000000, 1000000",
        "1_000_000, 1000000",
        "1e6, 1000000",
        "1E6, 1000000",
        "2.5e3, 2500",
        "1M, 1000000",
        "1m, 1000000",
        "1.5k, 1500",
        "2G, 2000000000",
        "-3, -3",
        "9223372036854775807, 9223372036854775807"
    })
    void numbersAreReadAsPeopleWriteThem(String text, long number) {
        assertThat(new Count.OfLong().convert(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.5", "1e", "k", "1kk", "1KiB", "9223372036854775808", "1e99", "_1", "ten", "1e-3"})
    void whatIsNoWholeNumberIsRefused(String text) {
        assertThatThrownBy(() -> new Count.OfLong().convert(text)).hasMessageContaining("'" + text + "'");
    }

    @Test
    void whatIsKeptInAnArrayHasALowerLimit() {
        assertThat(new Count.OfInt().convert("2147483647")).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> new Count.OfInt().convert("3G")).hasMessageContaining("up to 2,147,483,647");
    }

    @Test
    void everyCommandTakesThem() {
        assertThat(Shell.run("advise", "--n", "1k", "--queries", "1e5", "--skew", 1, "--missed-keys", "2k")
                        .code())
                .isZero();
        assertThat(Shell.run("demo", "--n", "1k", "--queries", "1e4", "--store", "memory", "--json")
                        .out())
                .contains("\"n\":1000,\"lookups\":10000");
        assertThat(Shell.run("race", "--kinds", "bloom", "--n", "1k", "--queries", "1e4", "--repeat", 0, "--json")
                        .out())
                .contains("\"n\":1000", "\"queries\":10000");
    }
}
