package com.example.kinds;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.List;
import java.util.stream.Stream;

/** The kinds keep every promise of their interfaces. */
final class ExampleContractTest extends FilterContract {

    private static final List<FilterSpec> SPECS = List.of(
            FilterSpec.of(1, 0.01),
            FilterSpec.of(100, 0.05),
            FilterSpec.of(3_001, 0.1).withSeed(-1));

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of("example-sliced", "example-sorted")
                .map(Filters::kind)
                .flatMap(kind -> SPECS.stream().map(spec -> Subject.of(kind, spec)));
    }
}
