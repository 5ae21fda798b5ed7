package com.example.kinds;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.testkit.CodecContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** Damaged files of the kinds are refused, and forged ones do no harm. */
final class ExampleCodecTest extends CodecContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of("example-sliced", "example-sorted")
                .map(kind -> Subject.of(Filters.kind(kind), FilterSpec.of(300, 0.01)));
    }
}
