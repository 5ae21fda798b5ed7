package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuotientMergeTest {

    private static final FilterSpec SPEC = FilterSpec.of(2_000, 0.1);

    @Test
    void mergingIsTheUnionOfTheMultisets() {
        SplittableRandom random = new SplittableRandom(1);
        long[] shared = random.longs(300).toArray();
        long[] left = random.longs(700).toArray();
        long[] right = random.longs(600).toArray();
        QuotientFilter a = filled(shared, left);
        QuotientFilter b = filled(right, shared);
        QuotientFilter both = filled(shared, left, right, shared);
        List<String> ofB = fingerprints(b);
        a.mergeFrom(b);
        a.checkInvariants();
        assertThat(a.count()).isEqualTo(1_900);
        assertThat(fingerprints(a)).isEqualTo(fingerprints(both));
        assertThat(fingerprints(b)).isEqualTo(ofB);
        for (long hash : shared) {
            assertThat(a.countOfHash(hash)).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void aFilterMergesWithItself() {
        QuotientFilter a = filled(new SplittableRandom(2).longs(900).toArray());
        a.mergeFrom(a);
        a.checkInvariants();
        assertThat(a.count()).isEqualTo(1_800);
    }

    @Test
    void whatDoesNotFitIsRefusedWithNoChange() {
        QuotientFilter a = filled(new SplittableRandom(3).longs(1_500).toArray());
        QuotientFilter b = filled(new SplittableRandom(4).longs(1_500).toArray());
        List<String> before = fingerprints(a);
        assertThatThrownBy(() -> a.mergeFrom(b)).isInstanceOf(FilterFullException.class);
        assertThat(fingerprints(a)).isEqualTo(before);
        FilterSpec wide = SPEC.with("remainderBits", "16");
        QuotientFilter last = QuotientFilter.make(wide);
        for (int i = 0; i < 150; i++) {
            last.insertHash(-1L - i);
        }
        QuotientFilter more = QuotientFilter.make(wide);
        new SplittableRandom(5).longs(100).forEach(more::insertHash);
        more.mergeFrom(last);
        assertThatThrownBy(() -> more.mergeFrom(last)).isInstanceOf(FilterFullException.class);
        more.checkInvariants();
        assertThat(more.count()).isEqualTo(250);
    }

    @Test
    void filtersOfAnotherShapeOrSeedAreRefusedByName() {
        QuotientFilter a = QuotientFilter.make(SPEC);
        assertThatThrownBy(() -> a.mergeFrom(QuotientFilter.make(SPEC.withSeed(1))))
                .hasMessageContaining("seeds");
        assertThatThrownBy(() -> a.mergeFrom(QuotientFilter.make(SPEC.withCapacity(2_001))))
                .hasMessageContaining("slot counts");
        assertThatThrownBy(() -> a.mergeFrom(QuotientFilter.make(SPEC.with("remainderBits", "9"))))
                .hasMessageContaining("remainder widths");
    }

    @Test
    void fingerprintsComeInAscendingOrder() {
        List<String> inOrder =
                fingerprints(filled(new SplittableRandom(6).longs(2_000).toArray()));
        List<String> sorted = new ArrayList<>(inOrder);
        Collections.sort(sorted);
        assertThat(inOrder).isEqualTo(sorted).hasSize(2_000);
    }

    private static QuotientFilter filled(long[]... groups) {
        QuotientFilter filter = QuotientFilter.make(SPEC);
        for (long[] group : groups) {
            filter.insertHashes(group, 0, group.length);
        }
        return filter;
    }

    private static List<String> fingerprints(QuotientFilter filter) {
        List<String> all = new ArrayList<>();
        filter.forEachFingerprint((quotient, remainder) -> all.add(String.format("%08d %08d", quotient, remainder)));
        return all;
    }
}
