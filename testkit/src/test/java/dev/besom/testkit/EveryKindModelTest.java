package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Long random lives of every kind of the facade, with the promises of the interfaces as the only invariants. */
final class EveryKindModelTest {

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> aRandomLifeLosesNothing() {
        return Filters.kinds().stream()
                .filter(Kind::isInsertable)
                .flatMap(kind -> Stream.of(FilterSpec.of(40, 0.25), FilterSpec.of(2_000, 0.02))
                        .map(spec -> Subject.of(kind, spec)))
                .flatMap(subject -> List.of(0.5, 1.0).stream()
                        .map(load -> DynamicTest.dynamicTest(
                                subject + " load " + load,
                                () -> new ModelRun(subject, 901, filter -> {}).run(5_000, load))));
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> aRandomLifeWithKeysInFlightLosesNothing() {
        return Filters.kinds().stream()
                .filter(Kind::isAdaptive)
                .flatMap(kind -> Stream.of(FilterSpec.of(40, 0.25), FilterSpec.of(1_000, 0.1))
                        .map(spec -> Subject.of(kind, spec)))
                .map(subject -> DynamicTest.dynamicTest(
                        subject.toString(),
                        () -> new ModelRun(subject, 902, filter -> {})
                                .withLateStore()
                                .run(5_000, 0.9)));
    }
}
