package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The file format of every kind of the facade. */
final class EveryKindCodecTest extends CodecContract {

    static Stream<Kind> kinds() {
        return Filters.kinds().stream();
    }

    @Override
    protected Stream<Subject> subjects() {
        FilterSpec spec = FilterSpec.of(1_000, 0.01);
        return Stream.concat(
                kinds().map(kind -> Subject.of(kind, spec)),
                Stream.of(
                        withCode("extension", "enumerative", spec),
                        withCode("extension", "arithmetic", spec),
                        withCode("telescoping-compact", "shift", spec),
                        withCode("telescoping-compact", "general", spec)));
    }

    /** A kind whose files depend on an option, with another value of it than the default. */
    private static Subject withCode(String kind, String code, FilterSpec spec) {
        return Subject.of(Filters.kind(kind), spec.with("code", code));
    }

    @ParameterizedTest
    @CsvSource({"tinyset, widths, one", "tinyset, counter, explicit"})
    void theFormatOfAKindWithAnOptionNeverChanges(String kind, String option, String value) throws IOException {
        GoldenFile.check(Filters.kind(kind), option, value);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theFormatOfAKindNeverChanges(Kind kind) throws IOException {
        GoldenFile.check(kind);
    }
}
