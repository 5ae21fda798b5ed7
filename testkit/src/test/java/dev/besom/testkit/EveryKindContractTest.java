package dev.besom.testkit;

import dev.besom.filters.Filters;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The net below all others: whatever the facade lists is tested, also a kind that nobody wrote a test for. */
@Tag("slow")
final class EveryKindContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        return Filters.kinds().stream().flatMap(Subject::usualGridOf);
    }
}
