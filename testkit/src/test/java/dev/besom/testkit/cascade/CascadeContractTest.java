package dev.besom.testkit.cascade;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Cascades keep every promise whatever they are made of, and however often their hash functions change. */
@Tag("slow")
final class CascadeContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.concat(
                Subject.usualGridOf(Filters.kind("cascade"))
                        .map(subject -> subject.withSpec(subject.spec().with("inner", "tinyset"))),
                Stream.of("adaptive-bloom", "cascade")
                        .flatMap(kind -> Stream.of(FilterSpec.of(2_000, 0.25), FilterSpec.of(2_000, 0.02))
                                .map(spec -> Subject.of(Filters.kind(kind), spec.with("moved", "0.001")))));
    }
}
