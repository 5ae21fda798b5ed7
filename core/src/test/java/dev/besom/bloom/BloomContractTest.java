package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.testkit.FilterContract;
import dev.besom.testkit.Subject;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Isolated;

/** The Bloom kinds away from their usual parameters: each index scheme, few and many probes, extreme rates. */
@Isolated
final class BloomContractTest extends FilterContract {

    @Override
    protected Stream<Subject> subjects() {
        Stream<Subject> schemes = Stream.of("enhanced-double", "double", "triple", "slices")
                .map(scheme -> subject(
                        "bloom", FilterSpec.of(10_000, 0.003).withSeed(5).with("scheme", scheme)));
        Stream<Subject> rates = Stream.of("bloom", "blocked-bloom")
                .flatMap(kind -> Stream.of(0.5, 0.25, 1e-4)
                        .map(fpp -> subject(kind, FilterSpec.of(5_000, fpp).withSeed(6))));
        Stream<Subject> oneProbe = Stream.of(
                subject("bloom", FilterSpec.of(2_000, 0.05).with("probes", "1")).withoutPromiseOfRateAsked());
        Stream<Subject> halfLines = Stream.of("2", "4")
                .map(groups -> subject(
                        "blocked-bloom",
                        FilterSpec.of(5_000, 0.01).with("blockBits", "256").with("groups", groups)));
        Stream<Subject> widths = Stream.of("3", "5", "16")
                .map(bits ->
                        subject("counting-bloom", FilterSpec.of(2_000, 0.01).with("counterBits", bits)));
        return Stream.of(schemes, rates, oneProbe, halfLines, widths).flatMap(stream -> stream);
    }

    private static Subject subject(String kind, FilterSpec spec) {
        return Subject.of(Filters.kind(kind), spec);
    }
}
