package dev.besom.bloomier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactListTest {

    private static final long SEED = 0x6C697374L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static ExactList build(double fpp, long[] yes, long[] no) {
        return ExactList.build(FilterSpec.of(1, fpp), HashSource.of(yes), HashSource.of(no));
    }

    private static void assertExact(ExactList list, long[] yes, long[] no) {
        assertThat(Arrays.stream(yes)).allMatch(list::mightContainHash);
        assertThat(Arrays.stream(no)).noneMatch(list::mightContainHash);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0, 100",
        "1, 0",
        "1, 1",
        "1, 1000",
        "1000, 1",
        "1000, 1000",
        "13752, 1138",
        "5000, 500000",
        "100000, 100000"
    })
    void noKeyOfEitherSetIsAnsweredWrong(int listed, int known) {
        long[] yes = hashes(listed, 1);
        long[] no = hashes(known, 2);
        for (double fpp : new double[] {0.99, 0.01}) {
            ExactList list = build(fpp, yes, no);
            assertExact(list, yes, no);
            assertExact(ExactList.read(list.image()), yes, no);
            assertThat(list.count()).isEqualTo(listed);
            assertThat(list.otherCount()).isEqualTo(known);
        }
    }

    /** Against log2 of the number of ways to choose the listed ones among all known keys. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "100000, 50000, 1.12",
        "100000, 100000, 1.03",
        "100000, 200000, 1.12",
        "100000, 500000, 1.11",
        "100000, 1000000, 1.11",
        "10000, 1000000, 1.1"
    })
    void theSizeIsNearTheBound(int listed, int known, double mostOverBound) {
        ExactList list = build(0.99, hashes(listed, 1), hashes(known, 2));
        double all = listed + (double) known;
        double p = listed / all;
        double bound = -all * (p * Math.log(p) + (1 - p) * Math.log(1 - p)) / Math.log(2);
        assertThat(list.sizeInBits() / bound).isBetween(1.0, mostOverBound);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "1000000, 500000, 1.11",
        "1000000, 1000000, 1.02",
        "1000000, 2000000, 1.11",
        "1000000, 10000000, 1.1",
        "200000, 20000000, 1.07"
    })
    void theSizeIsNearTheBoundWithAMillionKeys(int listed, int known, double mostOverBound) {
        theSizeIsNearTheBound(listed, known, mostOverBound);
    }

    /** Six standard deviations around what is predicted, on both sides. */
    @ParameterizedTest
    @CsvSource({"0.99, 5000, 5000", "0.01, 5000, 5000", "0.01, 5000, 0", "0.001, 3000, 100000"})
    void unknownKeysAreFalsePositivesAtTheRate(double fpp, int listed, int known) {
        ExactList list = build(fpp, hashes(listed, 1), hashes(known, 2));
        double rate = list.expectedFpp();
        assertThat(rate).isLessThanOrEqualTo(fpp);
        int queries = 500_000;
        long falsePositives =
                Arrays.stream(hashes(queries, 3)).filter(list::mightContainHash).count();
        double sigma = Math.sqrt(queries * rate * (1 - rate));
        assertThat((double) falsePositives).isBetween(queries * rate - 6 * sigma - 1, queries * rate + 6 * sigma + 1);
    }

    @Test
    void aKeyOnBothSidesIsRefused() {
        long[] yes = hashes(100, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> build(0.5, yes, new long[] {5, yes[50]}))
                .withMessageContaining("both");
        ExactList list = build(0.5, yes, new long[] {5});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListPatch.between(list, HashSource.of(yes), HashSource.of(yes[3])))
                .withMessageContaining("both");
    }

    /** Three versions, each with keys that came and keys that went, the latter being known others from then on. */
    @Test
    void patchesMakeAListTheNextVersion() {
        long[] keys = hashes(30_000, 1);
        long[] known = hashes(10_000, 2);
        ExactList list = build(0.99, Arrays.copyOf(keys, 10_000), known);
        for (int version = 1; version <= 3; version++) {
            long[] yes = Arrays.copyOfRange(keys, 1_000 * version, 10_000 + 2_000 * version);
            long[] no = Arrays.copyOf(known, known.length + 1_000 * version);
            System.arraycopy(keys, 0, no, known.length, 1_000 * version);
            ListPatch patch = ListPatch.between(list, HashSource.of(yes), HashSource.of(no));
            ExactList next = ListPatch.read(patch.image()).applyTo(list);
            assertExact(next, yes, no);
            // Half of the keys that came were taken for listed before.
            assertThat(patch.changeCount()).isBetween(1_800, 2_300);
            assertExact(ExactList.read(next.image()), yes, no);
            ExactList before = list;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> patch.applyTo(next))
                    .withMessageContaining("before");
            assertThat(patch.applyTo(before).image().sections())
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(next.image().sections());
            list = next;
        }
    }

    @Test
    void aPatchOfAnotherListIsRefused() {
        long[] yes = hashes(100, 1);
        ExactList one = build(0.5, yes, new long[] {5});
        ExactList other = build(0.5, Arrays.copyOf(yes, 99), new long[] {5});
        ListPatch patch = ListPatch.between(one, HashSource.of(yes), HashSource.of(6));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> patch.applyTo(other))
                .withMessageContaining("another list");
    }
}
