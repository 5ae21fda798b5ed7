package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import java.util.stream.Stream;

/** The compact tables away from their usual parameters: each preset of TinySet, high and low rates. */
final class CompactContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        Stream<Subject> presets = Stream.of("32B", "16I", "32I", "64I", "128I", "smallest")
                .map(preset -> subject(
                        "tinyset", FilterSpec.of(10_000, 0.01).withSeed(5).with("preset", preset)));
        Stream<Subject> chains =
                Stream.of(subject("tinyset", FilterSpec.of(10_000, 0.01).with("chains", "80")));
        Stream<Subject> rates = Stream.of("tinyset", "rank-indexed", "dleft", "dleft-counting")
                .flatMap(kind -> Stream.of(0.5, 0.03)
                        .map(fpp -> subject(kind, FilterSpec.of(5_000, fpp).withSeed(6))));
        Stream<Subject> forms = Stream.of(
                subject("tinyset", FilterSpec.of(10_000, 0.01).with("widths", "one")),
                subject("tinyset", FilterSpec.of(10_000, 0.01).with("counter", "explicit")),
                subject(
                        "tinyset",
                        FilterSpec.of(10_000, 0.1).with("counter", "explicit").with("preset", "32B")),
                subject(
                        "tinyset",
                        FilterSpec.of(10_000, 0.001).with("counter", "explicit").with("preset", "64I")));
        return Stream.of(presets, chains, rates, forms).flatMap(stream -> stream);
    }

    private static Subject subject(String kind, FilterSpec spec) {
        return Subject.of(Filters.kind(kind), spec);
    }
}
