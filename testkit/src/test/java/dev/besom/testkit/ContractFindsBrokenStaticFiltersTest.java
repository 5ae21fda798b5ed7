package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each fault of a filter that is built from all its keys is found by the check that names it. */
final class ContractFindsBrokenStaticFiltersTest {

    private static final FilterSpec SPEC = FilterSpec.of(2_000, 0.01);

    /** A sorted array of fingerprints, with nothing wrong. */
    private static class Sorted implements MembershipFilter {

        private static final long RANGE = 200_000;

        private final long[] fingerprints;

        Sorted(long[] hashes) {
            fingerprints = Arrays.stream(hashes)
                    .map(Sorted::fingerprint)
                    .sorted()
                    .distinct()
                    .toArray();
        }

        private static long fingerprint(long hash) {
            return Long.remainderUnsigned(hash, RANGE);
        }

        @Override
        public boolean mightContainHash(long hash) {
            return Arrays.binarySearch(fingerprints, fingerprint(hash)) >= 0;
        }

        @Override
        public long count() {
            return fingerprints.length;
        }

        @Override
        public long sizeInBits() {
            return Long.SIZE * Math.max(1, count());
        }

        @Override
        public double expectedFpp() {
            return (double) count() / RANGE;
        }
    }

    private static Subject subject(Function<long[], MembershipFilter> build) {
        return Subject.builtFrom("sorted", MembershipFilter.class, SPEC, build);
    }

    @Test
    void aSoundFilterPasses() throws Exception {
        Subject subject = subject(Sorted::new);
        assertThat(subject.is(InsertableFilter.class)).isFalse();
        assertThat(FilterContract.promisesOf(subject)).containsAll(BuildPromises.ALL);
        for (Promise promise : FilterContract.promisesOf(subject)) {
            promise.assertKeptBy(subject);
        }
    }

    @TestFactory
    Stream<DynamicTest> eachFaultIsFoundByTheCheckThatNamesIt() {
        long[] made = {0};
        return Stream.of(
                fault("as many keys as planned are all found", hashes -> new Sorted(Arrays.copyOf(hashes, 1_999))),
                fault("keys that repeat are found", hashes -> new Sorted(once(hashes))),
                fault("one key over and over is found", hashes -> new Sorted(once(hashes))),
                fault("the count is that of the keys", hashes -> new Sorted(hashes) {
                    @Override
                    public long count() {
                        return super.count() + hashes.length / 20;
                    }
                }),
                fault("the count is that of the keys", hashes -> new Sorted(hashes) {
                    @Override
                    public long count() {
                        return super.count() * 9 / 10;
                    }
                }),
                fault(
                        "more keys than planned are all in, or refused",
                        hashes -> new Sorted(Arrays.copyOf(hashes, Math.min(hashes.length, 2_000)))),
                fault("building leaves the keys as they are", hashes -> {
                    Arrays.sort(hashes);
                    return new Sorted(hashes);
                }),
                fault("the same keys and seed make the same filter", hashes -> {
                    double deviation = made[0]++ * 1e-6;
                    return new Sorted(hashes) {
                        @Override
                        public double expectedFpp() {
                            return super.expectedFpp() + deviation;
                        }
                    };
                }),
                fault(
                        "a filter without keys answers no",
                        hashes -> new Sorted(hashes.length == 0 ? new long[1] : hashes)),
                fault("the rate is the rate expected, when half full", hashes -> new Sorted(hashes) {
                    @Override
                    public double expectedFpp() {
                        return 0.8 * super.expectedFpp();
                    }
                }));
    }

    @Test
    void aFilterThatFailsForASeedIsFound() {
        Subject subject = Subject.of(
                Kind.of("unlucky", PersistentFilter.class)
                        .builds((spec, hashes, stored) -> {
                            throw new IllegalStateException("no luck with seed " + spec.seed());
                        })
                        .reads(new ImageForm("unlucky"), (image, stored) -> {
                            throw new AssertionError();
                        })
                        .toKind(),
                SPEC);
        assertThatThrownBy(() -> promise("every seed finds all keys").assertKeptBy(subject))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no luck with seed 0");
    }

    /** The hashes that come only once. */
    private static long[] once(long[] hashes) {
        long[] sorted = Arrays.stream(hashes).sorted().toArray();
        return IntStream.range(0, sorted.length)
                .filter(i -> (i == 0 || sorted[i - 1] != sorted[i])
                        && (i + 1 == sorted.length || sorted[i + 1] != sorted[i]))
                .mapToLong(i -> sorted[i])
                .toArray();
    }

    private static Promise promise(String text) {
        return FilterContract.promisesOf(subject(Sorted::new)).stream()
                .filter(promise -> promise.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no check says: " + text));
    }

    private static DynamicTest fault(String text, Function<long[], MembershipFilter> build) {
        return DynamicTest.dynamicTest(
                text,
                () -> assertThatThrownBy(() -> promise(text).assertKeptBy(subject(build)))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining(text));
    }
}
