package dev.besom.testkit.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** The kind that is built from all its hashes. */
final class StaticCuckooContractTest extends FilterContract {

    static Subject subject(FilterSpec spec) {
        Kind kind = Filters.kind("cuckoo-static");
        return Subject.builtFrom(
                kind.name(), kind.type(), spec, hashes -> kind.build(spec, HashSource.of(hashes), StoredHashes.none()));
    }

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of(
                        FilterSpec.of(1, 0.01),
                        FilterSpec.of(100, 0.05).withSeed(1),
                        FilterSpec.of(1_000, 0.01),
                        FilterSpec.of(3_001, 0.2).withSeed(-1),
                        FilterSpec.of(20_001, 0.001))
                .map(StaticCuckooContractTest::subject);
    }
}
