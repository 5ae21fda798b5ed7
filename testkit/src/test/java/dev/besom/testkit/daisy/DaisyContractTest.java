package dev.besom.testkit.daisy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;

/** The kinds that know the distribution keep every promise whatever it comes from. */
final class DaisyContractTest extends FilterContract {

    private static final FilterSpec SPEC = FilterSpec.of(2_000, 0.01).withSeed(8);

    @Override
    protected Stream<Subject> subjects() {
        Stream<Subject> ranks = Stream.of(
                        "daisy", "daisy-fingerprint", "daisy-counting", "weighted-bloom", "partitioned-learned")
                .map(kind -> subject(kind, "ranks", Oracles.ranks()));
        // Not for partitioned-learned, whose regions follow the shares of classes that random hashes do not have.
        Stream<Subject> others = Stream.of("daisy", "daisy-fingerprint", "daisy-counting", "weighted-bloom")
                .flatMap(kind ->
                        Stream.of(subject(kind, "table", Oracles.table()), subject(kind, "sketch", Oracles.sketch())));
        Stream<Subject> callers = Stream.of(
                subject("daisy", "classified", Oracles.classified(true)),
                subject("daisy", "warming up", Oracles.classified(false)),
                subject("daisy-fingerprint", "warming up", Oracles.classified(false)),
                subject("daisy-counting", "classified", Oracles.classified(true)),
                subject("weighted-bloom", "classified", Oracles.classified(true)));
        return Stream.of(ranks, others, callers).flatMap(stream -> stream);
    }

    static Subject subject(String kind, String source, Distribution distribution) {
        return Subject.of(kind + ", " + source, Filters.kind(kind).type(), SPEC, (spec, stored) ->
                (InsertableFilter) Filters.makeHashFilter(Filters.kind(kind), spec, distribution));
    }
}
