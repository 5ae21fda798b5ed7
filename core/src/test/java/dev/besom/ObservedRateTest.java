package dev.besom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.filters.Filters;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ObservedRateTest {

    @Test
    void aFilterThatKeepsItsPlanIsNotAboveItAndOneThatDoesNotIs() {
        SplittableRandom random = new SplittableRandom(5);
        InsertableFilter filter = (InsertableFilter) Filters.makeHashFilter("bloom", FilterSpec.of(5_000, 0.01));
        for (int i = 0; i < 5_000; i++) {
            filter.insertHash(random.nextLong());
        }
        assertThat(observed(filter, random).isAbove(0.01)).isFalse();
        assertThat(observed(filter, random).isAbove(0.007)).isTrue();
        for (int i = 0; i < 2_500; i++) {
            filter.insertHash(random.nextLong());
        }
        ObservedRate overfull = observed(filter, random);
        assertThat(overfull.isAbove(0.01)).isTrue();
        assertThat(overfull.fpp()).isBetween(0.02, 0.06);
    }

    private static ObservedRate observed(MembershipFilter filter, SplittableRandom random) {
        long falsePositives =
                random.longs(100_000).filter(filter::mightContainHash).count();
        return new ObservedRate(100_000, falsePositives);
    }

    @Test
    void fewMissesProveNothing() {
        assertThat(new ObservedRate(0, 0).fpp()).isZero();
        assertThat(new ObservedRate(0, 0).isAbove(0.01)).isFalse();
        assertThat(new ObservedRate(3, 2).isAbove(0.01)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new ObservedRate(1, 2));
    }
}
