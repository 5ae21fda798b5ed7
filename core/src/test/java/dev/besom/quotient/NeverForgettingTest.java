package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.IncrementalGrowth;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that take more memory for repairs and give up none. */
class NeverForgettingTest {

    private static final int KEYS = 1_000;
    private static final double FPP = 1 / 16.0;

    private final SortedHashes stored = new SortedHashes();
    private final SplittableRandom random = new SplittableRandom(20180610);
    private final List<Long> repaired = new ArrayList<>();

    private TaggedFilter filled(String kind, String spill) {
        FilterSpec spec = FilterSpec.of(KEYS, FPP).with("forget", "never").with("spill", spill);
        TaggedFilter filter = Filters.makeHashFilter(kind, spec, stored, TaggedFilter.class);
        for (long key : random.longs(KEYS - 20).toArray()) {
            stored.add(key);
            filter.insertHash(key);
        }
        return filter;
    }

    /** Repairs so many false positives; returns how many were refused. */
    private int repair(TaggedFilter filter, int falsePositives) {
        int refused = 0;
        for (int found = 0; found < falsePositives; ) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                Adaptation answer = filter.repairHash(query);
                assertThat(answer).isNotEqualTo(Adaptation.FORGOT);
                assertThat(filter.mightContainHash(query)).isEqualTo(answer == Adaptation.INSEPARABLE);
                if (answer == Adaptation.FIXED) {
                    repaired.add(query);
                } else {
                    refused++;
                }
                found++;
            }
        }
        return refused;
    }

    private void assertAllFound(TaggedFilter filter) {
        for (int i = 0; i < stored.size(); i++) {
            assertThat(filter.mightContainHash(stored.at(i))).isTrue();
        }
        filter.checkInvariants();
    }

    private double stillWrong(TaggedFilter filter) {
        return repaired.stream().filter(filter::mightContainHash).count() / (double) repaired.size();
    }

    /**
     * An extension keeps a query out for ever. A selector that moves on meets it again with the rate of a run that has a
     * slot for sure, which is twice the rate of all runs.
     */
    private void assertRepairsHold(TaggedFilter filter) {
        assertThat(stillWrong(filter)).isLessThanOrEqualTo(filter instanceof ExtensionFilter ? 0 : 2 * FPP);
    }

    private TaggedFilter saveAndLoad(TaggedFilter filter) {
        FilterImage image = Images.copy(filter.image());
        return (TaggedFilter) Filters.kind(image.kind()).read(image, stored);
    }

    /** Extensions ward off queries that were never made: the filter expects no more of those than come through. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension"})
    void theRateAfterManyRepairsIsTheRateExpectedFromBothSides(String kind) {
        TaggedFilter filter = filled(kind, "64");
        double atFirst = filter.expectedFpp();
        for (int repairs = 1; repairs <= 2; repairs++) {
            repair(filter, repairs * KEYS);
            TaggedFilter again = saveAndLoad(filter);
            assertThat(again.expectedFpp()).isEqualTo(filter.expectedFpp());
            int queries = 1_000_000;
            long maybes = random.longs(queries).filter(again::mightContainHash).count();
            double expected = again.expectedFpp() * queries;
            // Six deviations of the count, and 5 % because what one repair changes is not independent.
            assertThat((double) maybes)
                    .isBetween(0.95 * expected - 6 * Math.sqrt(expected), 1.05 * expected + 6 * Math.sqrt(expected));
        }
        assertThat(filter.expectedFpp()).isLessThanOrEqualTo(kind.equals("extension") ? 0.3 * atFirst : atFirst);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension"})
    void repairsHoldFarBeyondTheBudgetOfFiltersThatForget(String kind) {
        TaggedFilter filter = filled(kind, "64");
        assertThat(repair(filter, 4 * KEYS)).isZero();
        assertThat(filter.tagStatistics().forgotten()).isZero();
        assertRepairsHold(filter);
        assertAllFound(filter);
        filter = saveAndLoad(filter);
        assertRepairsHold(filter);
        IncrementalGrowth growth = filter.growth(3 * KEYS / 2);
        while (!growth.isComplete()) {
            growth.move(100);
        }
        assertAllFound((TaggedFilter) growth.next());
        // Only queries that share a quotient with other keys than before can be wrong again.
        assertThat(stillWrong((TaggedFilter) growth.next())).isLessThan(2 * FPP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension"})
    void aRepairIsRefusedWhereMemoryIsAtItsBoundAndAllOthersHold(String kind) {
        TaggedFilter filter = filled(kind, "2");
        long empty = filter.sizeInBits();
        int refused = repair(filter, 4 * KEYS);
        assertThat(refused).isPositive();
        assertThat(filter.adaptationStatistics().inseparable()).isEqualTo(refused);
        assertThat(filter.sizeInBits() - empty).isBetween(KEYS / 2L, 2L * KEYS);
        assertRepairsHold(filter);
        assertAllFound(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension"})
    void repairsSurviveKeysThatComeAndGoBesideThem(String kind) {
        TaggedFilter filter = filled(kind, "64");
        int inAtFirst = stored.size();
        repair(filter, 2 * KEYS);
        for (int i = 0; i < 1_000; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            stored.add(key);
            if (stored.size() > inAtFirst + 15) {
                stored.remove(key);
                assertThat(filter.deleteHash(key)).isTrue();
            }
        }
        assertThat(filter.tagStatistics().forgotten()).isZero();
        assertAllFound(filter);
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() {
        FilterSpec spec = FilterSpec.of(100, FPP);
        for (String kind : List.of("telescoping", "extension")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Filters.kind(kind).make(spec.with("forget", "seldom"), stored))
                    .withMessageContaining("some or never");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Filters.kind(kind).make(spec.with("spill", "20"), stored));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.kind("extension")
                        .make(spec.with("forget", "never").with("code", "enumerative"), stored));
    }
}
