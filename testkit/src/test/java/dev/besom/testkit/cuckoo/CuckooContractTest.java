package dev.besom.testkit.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** Cuckoo filters with other options than the usual ones. */
final class CuckooContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of(
                of("cuckoo", FilterSpec.of(1, 0.01).with("slots", "1")),
                of("cuckoo", FilterSpec.of(100, 0.2).with("slots", "1").withSeed(3)),
                of("cuckoo", FilterSpec.of(20_000, 0.004).with("slots", "1")),
                of("cuckoo", FilterSpec.of(5_000, 0.01).with("fingerprint", "16")),
                of("cuckoo", FilterSpec.of(5_000, 0.01).with("fingerprint", "17")),
                of("cuckoo", FilterSpec.of(5_000, 0.01).with("fingerprint", "32")),
                of("vacuum", FilterSpec.of(5_000, 0.01).with("fingerprint", "21")),
                of("cuckoo-windowed", FilterSpec.of(5_000, 0.01).with("fingerprint", "31")),
                of("cuckoo-windowed", FilterSpec.of(5_000, 0.01).with("fingerprint", "32")));
    }

    private static Subject of(String kind, FilterSpec spec) {
        Subject subject = Subject.of(Filters.kind(kind), spec);
        return spec.options().containsKey("fingerprint") ? subject.withoutPromiseOfRateAsked() : subject;
    }
}
