package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind with drawn values of its options: it is refused, or keeps its promises. */
@Tag("slow")
final class EveryOptionTest {

    private static final int SHAPES = Seeds.isThorough() ? 400 : 16;
    private static final int MOST_DRAWS = 100 * SHAPES;
    private static final int[] CAPACITIES = {1, 7, 60, 300};

    private static Stream<Kind> kinds() {
        return Filters.kinds().stream().filter(kind -> !kind.options().isEmpty());
    }

    /** What is done with a shape that the kind does not refuse. */
    @FunctionalInterface
    private interface Check {
        void accept(Subject subject) throws IOException;
    }

    private static Stream<DynamicTest> tests(String seedName, int shapes, Check check) {
        return kinds().map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
            OptionDraws draws = new OptionDraws(kind, seedName.hashCode());
            Set<String> tried = new TreeSet<>();
            int done = 0;
            for (int i = 0;
                    i < MOST_DRAWS
                            && (done < shapes || tried.size() < kind.options().size());
                    i++) {
                FilterSpec spec = draws.next(CAPACITIES[i % CAPACITIES.length]);
                Subject subject = Subject.of(kind, spec);
                if (isRefused(subject)) {
                    continue;
                }
                try {
                    check.accept(subject);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(subject + ": " + e.getMessage(), e);
                }
                tried.addAll(spec.options().keySet());
                done++;
            }
            assertThat(tried)
                    .as("options with a value that is not refused")
                    .isEqualTo(kind.options().keySet());
        }));
    }

    /** Whether a shape is refused; any other exception is a fault. */
    private static boolean isRefused(Subject subject) {
        try {
            subject.filledWith(1);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> aRandomLifeLosesNothingWhateverTheOptions() {
        return tests("life", SHAPES, subject -> {
            if (subject.isInsertable()) {
                new ModelRun(subject, 911, filter -> {}).run(300, 1.0);
            }
        });
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> whatAFilterWroteItReadsWhateverTheOptions() {
        return tests("files", SHAPES, subject -> {
            Filled full = subject.full(subject.seed(912));
            byte[] bytes = PersistencePromises.bytesOf(full);
            Filled again = new Filled(
                    Filters.readHashFilter(new ByteArrayInputStream(bytes), full.stored())
                            .filter(),
                    full.stored(),
                    full.keys());
            again.assertNothingLost();
            assertThat(PersistencePromises.bytesOf(again)).isEqualTo(bytes);
        });
    }

    /** Options that fix sizes may give another rate than the one asked for, but the filter has to know it. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> theRateIsTheRateExpectedWhateverTheOptions() {
        return tests("rates", 4, subject -> {
            Subject large = subject.withSpec(subject.spec().withCapacity(3_000));
            // Where there are only so many keys, fresh hashes are none of them.
            boolean isOfAnyKey = !large.spec().options().containsKey("universe");
            if (isOfAnyKey && !isRefused(large)) {
                MembershipPromises.assertRateExpected(large, large.full(large.seed(913)), large.seed(913));
            }
        });
    }
}
