package com.example.kinds;

import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** The kinds keep every promise of their interfaces. */
final class ExampleContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of("example-sliced", "example-sorted").map(Filters::kind).flatMap(Subject::usualGridOf);
    }
}
