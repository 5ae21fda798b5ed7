package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How well the mixers scatter. Streams are fixed, so a test that has passed once fails only where the code has changed;
 * the bounds are 6.5 standard deviations wide, which a fair source misses with a chance of 10^-10 a comparison.
 */
class MixTest {

    private static final double DEVIATIONS = 6.5;

    static Stream<Named<LongUnaryOperator>> mixers() {
        return Stream.of(
                Named.of("mix", Mix::mix),
                Named.of("word 0", x -> Mix.expand(x, 11, 0)),
                Named.of("word 7", x -> Mix.expand(x, 11, 7)),
                Named.of("words of one hash", x -> Mix.expand(99, 11, x)),
                Named.of("words of neighbouring seeds", x -> Mix.expand(99, x, 0)),
                Named.of("longs", KeyHasher.longs()::hash),
                Named.of("longs with seed 0", KeyHasher.longs(0)::hash),
                Named.of("longs of neighbouring seeds", x -> KeyHasher.longs(x).hash(5)));
    }

    @ParameterizedTest
    @MethodSource("mixers")
    void eachInputBitMovesEachOutputBitHalfOfTheTime(LongUnaryOperator mixer) {
        int trials = 20_000;
        int[][] flips = new int[64][64];
        SplittableRandom random = new SplittableRandom(21);
        for (int trial = 0; trial < trials; trial++) {
            long x = random.nextLong();
            long hash = mixer.applyAsLong(x);
            for (int in = 0; in < 64; in++) {
                long changed = hash ^ mixer.applyAsLong(x ^ 1L << in);
                for (int out = 0; out < 64; out++) {
                    flips[in][out] += (int) (changed >>> out & 1);
                }
            }
        }
        for (int in = 0; in < 64; in++) {
            for (int out = 0; out < 64; out++) {
                assertThat((double) flips[in][out])
                        .as("output bit %d when input bit %d flips", out, in)
                        .isBetween(trials / 2.0 - bound(trials, 0.5), trials / 2.0 + bound(trials, 0.5));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("mixers")
    void countingNumbersFillEachPlaceAlike(LongUnaryOperator mixer) {
        int places = 256;
        int trials = places * 1000;
        for (int shift = 0; shift <= 56; shift += 8) {
            int[] counts = new int[places];
            for (int x = 0; x < trials; x++) {
                counts[(int) (mixer.applyAsLong(x) >>> shift & places - 1)]++;
            }
            for (int count : counts) {
                assertThat((double) count)
                        .as("numbers with one value of the byte at bit %d", shift)
                        .isBetween(1000 - bound(trials, 1.0 / places), 1000 + bound(trials, 1.0 / places));
            }
        }
    }

    @Test
    void neighbouringSeedsShareNoHashesOfNeighbouringKeys() {
        Set<Long> hashes = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            for (long key = 0; key < 1000; key++) {
                hashes.add(KeyHasher.longs(seed).hash(key));
            }
        }
        assertThat(hashes).hasSize(100_000);
    }

    @Test
    void mixIsAPermutation() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 100_000; i++) {
            long x = random.nextLong();
            assertThat(unmix(Mix.mix(x))).isEqualTo(x);
        }
        assertThat(Mix.mix(0)).isZero();
    }

    @Test
    void aBoxedNumberHasTheHashOfTheNumber() {
        assertThat(KeyHasher.longs().hash(Long.valueOf(77)))
                .isEqualTo(KeyHasher.longs().hash(77L));
    }

    /** Each step of the mixer undone: a number of which the multiplier's inverse and the shifted bits tell the origin. */
    private static long unmix(long y) {
        long x = unshift(y, 31) * inverse(0x94D049BB133111EBL);
        x = unshift(x, 27) * inverse(0xBF58476D1CE4E5B9L);
        return unshift(x, 30);
    }

    private static long unshift(long y, int distance) {
        long x = y;
        for (int known = distance; known < 64; known += distance) {
            x = y ^ x >>> distance;
        }
        return x;
    }

    private static long inverse(long odd) {
        long result = odd;
        for (int i = 0; i < 5; i++) {
            result *= 2 - odd * result;
        }
        return result;
    }

    private static double bound(int trials, double chance) {
        return DEVIATIONS * Math.sqrt(trials * chance * (1 - chance));
    }

    @Test
    void unscatteringUndoesScattering() {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 1000; i++) {
            long x = random.nextLong();
            long factor = Mix.factor(random.nextLong());
            assertThat(factor * Mix.inverse(factor)).isEqualTo(1);
            assertThat(Mix.unscatter(Mix.scatter(x, factor), Mix.inverse(factor)))
                    .isEqualTo(x);
        }
    }

    @Test
    void unmixingUndoesMixing() {
        SplittableRandom random = new SplittableRandom(77);
        for (int i = 0; i < 100_000; i++) {
            long x = i < 1000 ? i - 500 : random.nextLong();
            assertThat(Mix.unmix(Mix.mix(x))).isEqualTo(x);
            assertThat(Mix.mix(Mix.unmix(x))).isEqualTo(x);
            assertThat(Mix.unexpand(Mix.expand(x, i, -3), i, -3)).isEqualTo(x);
        }
    }
}
