package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationTest {

    private static final long SEED = 20181007;

    /** The chance of a false alarm of one assertion is below 10^-9. */
    private static final double DEVIATIONS = 6.5;

    private static final int PERMUTED_BITS = Long.SIZE - Permutation.KEPT_BITS;

    private final SplittableRandom random = new SplittableRandom(58);

    private static long apply(long x, long index) {
        return Permutation.apply(x, Permutation.key(SEED, index));
    }

    private static boolean collide(long x, long y, long index, int bits) {
        long change = apply(x, index) ^ apply(y, index);
        return change >>> (PERMUTED_BITS - bits) == 0;
    }

    private static void assertBinomial(String what, long events, long trials, double chance) {
        double mean = trials * chance;
        double most = DEVIATIONS * Math.sqrt(mean) + DEVIATIONS;
        assertThat((double) events).as("%s in %d", what, trials).isBetween(mean - most, mean + most);
    }

    /** The number that has the place under one function that another number had under the one before. */
    private static long successor(long x, long index) {
        return Permutation.invert(apply(x, index), Permutation.key(SEED, index + 1));
    }

    @Test
    void noStepFromOneFunctionToTheNextIsTheSameAsAnother() {
        for (int i = 0; i < 10_000; i++) {
            long x = random.nextLong();
            assertThat(successor(x, i + 1)).isNotEqualTo(successor(x, i + 2));
        }
    }

    /** What differs in one bit, the hardest to scatter, collides as often as chance has it, and so it does again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 13, 27, 29, 30, 31, 44, 56, 57})
    void whatCollidesUnderOneFunctionCollidesUnderOthersAsOftenAsAnything(int bit) {
        int trials = 400_000;
        int bits = 5;
        long first = 0;
        long next = 0;
        long later = 0;
        for (int i = 0; i < trials; i++) {
            long x = random.nextLong();
            long y = x ^ 1L << bit;
            if (collide(x, y, 1, bits)) {
                first++;
                next += collide(x, y, 2, bits) ? 1 : 0;
                later += collide(x, y, 17, bits) ? 1 : 0;
            }
        }
        assertBinomial("collisions", first, trials, Math.scalb(1.0, -bits));
        assertBinomial("collisions again under the next function", next, first, Math.scalb(1.0, -bits));
        assertBinomial("collisions again under a later function", later, first, Math.scalb(1.0, -bits));
    }

    /** One pair under many functions: as often as many pairs under one. */
    @Test
    void aPairCollidesUnderManyFunctionsAsOftenAsChanceHasIt() {
        int functions = 50_000;
        for (int pair = 0; pair < 60; pair++) {
            long x = random.nextLong();
            long y = pair < 30 ? x ^ 1L << pair : (x & ~(-1L >>> Permutation.KEPT_BITS)) | random.nextLong() >>> 6;
            long collisions = 0;
            for (int index = 1; index <= functions; index++) {
                collisions += collide(x, y, index, 8) ? 1 : 0;
            }
            assertBinomial("collisions of a pair", collisions, functions, Math.scalb(1.0, -8));
        }
    }
}
