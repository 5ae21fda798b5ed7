package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.Kind;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The file format of every kind of the facade. */
final class EveryKindCodecTest extends CodecContract {

    static Stream<Kind> insertableKinds() {
        return Filters.kinds().stream().filter(Kind::isInsertable);
    }

    @Override
    protected Stream<Subject> subjects() {
        return insertableKinds().map(kind -> Subject.of(kind, FilterSpec.of(1_000, 0.01)));
    }

    @ParameterizedTest
    @MethodSource("insertableKinds")
    void theFormatOfAKindNeverChanges(Kind kind) throws IOException {
        GoldenFile.check(kind);
    }
}
