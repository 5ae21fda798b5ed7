package dev.besom.testkit.daisy;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.InsertableFilter;
import dev.besom.distribution.Distribution;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** The kinds that know the distribution keep every promise whatever it comes from. */
final class DaisyContractTest extends FilterContract {

    private static final FilterSpec SPEC = FilterSpec.of(2_000, 0.01).withSeed(8);

    @Override
    protected Stream<Subject> subjects() {
        Stream<Subject> frozen = Stream.of("daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned")
                .flatMap(kind ->
                        Stream.of(subject(kind, "table", Oracles.table()), subject(kind, "ranks", Oracles.ranks())));
        // Not for partitioned-learned, whose regions would be filled as the sketch has it, not evenly.
        Stream<Subject> sketches = Stream.of("daisy", "daisy-fingerprint", "weighted-bloom")
                .map(kind -> subject(kind, "sketch", Oracles.sketch()));
        Stream<Subject> callers = Stream.of(
                subject("daisy", "classified", Oracles.classified(true)),
                subject("daisy", "warming up", Oracles.classified(false)),
                subject("weighted-bloom", "classified", Oracles.classified(true)));
        return Stream.of(frozen, sketches, callers).flatMap(stream -> stream);
    }

    static Subject subject(String kind, String source, Distribution distribution) {
        return Subject.of(kind + ", " + source, Filters.kind(kind).type(), SPEC, (spec, stored) ->
                (InsertableFilter) Filters.make(Filters.kind(kind), spec, distribution));
    }
}
