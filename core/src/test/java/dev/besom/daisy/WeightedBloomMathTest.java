package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.distribution.KeyClass;
import dev.besom.math.Entropy;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightedBloomMathTest {

    @Test
    void keysThatAreAllAlikeGetTheBestBloomFilter() {
        List<KeyClass> all = List.of(new KeyClass(1e-9, 1e-9, 1, 1));
        assertThat(WeightedBloomMath.wholeProbes(all, 0.01)).containsExactly(7);
        assertThat(WeightedBloomMath.bits(all, 1000, 0.01) / 1000)
                .isCloseTo(Entropy.bitsPerKey(0.01) / Math.log(2), within(1e-9));
    }

    /** Lagrange's condition for the least rate at a given size: q 2^-k / p is the same for all. */
    @Test
    void theOptimumBalancesTheRateThatAKeyCostsAgainstItsSpace() {
        KeyClass one = new KeyClass(1e-9, 3e-8, 0.4, 0.9);
        KeyClass other = new KeyClass(2e-8, 5e-9, 0.6, 0.1);
        double gainOfOne =
                one.queryProbability() / one.insertProbability() * Math.pow(2, -WeightedBloomMath.probes(one, 0.01));
        double gainOfOther = other.queryProbability()
                / other.insertProbability()
                * Math.pow(2, -WeightedBloomMath.probes(other, 0.01));
        assertThat(gainOfOne).isCloseTo(gainOfOther, within(1e-12)).isCloseTo(0.01, within(1e-12));
    }

    @Test
    void aClassThatIsNeverAskedForMakesTheSizeNegative() {
        List<KeyClass> classes =
                List.of(new KeyClass(1e-9, 1e-9, 0.9, 1), new KeyClass(1e-9, Double.MIN_NORMAL, 0.1, 0));
        assertThat(WeightedBloomMath.wholeProbes(classes, 0.01)).containsExactly(7, 0);
        assertThat(WeightedBloomMath.bits(classes, 1000, 0.01)).isNegative();
    }
}
