package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YardSizingTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.0024, 0.002, 0.001, 1e-4, 1e-5, 1e-6, 1e-8, 1e-12})
    void aBinKeepsItsRateAndLeavesRoomForExtensions(double fpp) {
        YardSizing.Bin bin = YardSizing.bin(fpp);
        double rate = bin.keys() / bin.runs() * Math.scalb(1.0, -bin.remainderBits());
        assertThat(rate).isLessThanOrEqualTo(fpp * (1 + 1e-9));
        assertThat(bin.words()).isLessThanOrEqualTo(16);
        assertThat(bin.signatureBits()).isLessThan(bin.remainderBits());
        assertThat(bin.slots() * bin.signatureBits()).isLessThanOrEqualTo((bin.words() - 4) * 64);
        assertThat(WideLayout.metadataLeft(bin.runs(), bin.slots()))
                .isGreaterThanOrEqualTo((int) (8 + 0.6 * bin.keys()));
    }

    @Test
    void rateBeyondAllRemaindersIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> YardSizing.bin(1e-15));
    }

    @Test
    void theChancesOfOneBinAddUpToOne() {
        YardSizing.Bin bin = YardSizing.bin(1e-6);
        double sum = 0;
        for (double each : YardSizing.backYardOfOneBin(91_000, 1_000, bin)) {
            sum += each;
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
    }

    /** Throws keys into bins and counts those that have no room or a signature that is taken. */
    @Test
    void simulatedBackYardsHoldWhatIsComputed() {
        YardSizing.Bin bin = new YardSizing.Bin(12, 64, 40, 6, 20, 60);
        int bins = 200;
        int keys = 12_000;
        int rounds = 300;
        double[] one = YardSizing.backYardOfOneBin(keys, bins, bin);
        double mean = 0;
        for (int y = 0; y < one.length; y++) {
            mean += y * one[y] * bins;
        }
        double seldom = YardSizing.mostInBackYard(keys, bins, bin, 0.01);
        SplittableRandom random = new SplittableRandom(7);
        double sum = 0;
        double squares = 0;
        int above = 0;
        for (int round = 0; round < rounds; round++) {
            int back = backYard(random, keys, bins, bin);
            sum += back;
            squares += (double) back * back;
            above += back > seldom ? 1 : 0;
        }
        double seen = sum / rounds;
        double deviation = Math.sqrt(squares / rounds - seen * seen);
        assertThat(seen).isBetween(mean - 6 * deviation / Math.sqrt(rounds), mean + 6 * deviation / Math.sqrt(rounds));
        // The bound is one for independent bins; those that share a number of keys vary less.
        assertThat(seldom).isBetween(mean + 2 * deviation, mean + 6 * deviation);
        assertThat(above).isLessThanOrEqualTo(15);
    }

    private static int backYard(SplittableRandom random, int keys, int bins, YardSizing.Bin bin) {
        int[] used = new int[bins];
        Set<Integer> taken = new HashSet<>();
        int back = 0;
        for (int key = 0; key < keys; key++) {
            int home = random.nextInt(bins);
            int signature = random.nextInt(bin.runs() << bin.signatureBits());
            if (used[home] < bin.slots() && taken.add(home * (bin.runs() << bin.signatureBits()) + signature)) {
                used[home]++;
            } else {
                back++;
            }
        }
        return back;
    }

    @Test
    void moreKeysTakeMoreBucketsButFewerForEachKey() {
        YardSizing.Bin bin = YardSizing.bin(1e-6);
        double before = Double.MAX_VALUE;
        for (long keys = 10_000; keys <= 1_000_000_000L; keys *= 10) {
            int buckets = YardSizing.buckets(keys, (long) Math.ceil(keys / bin.keys()), bin);
            double share = 8.0 * buckets / keys;
            assertThat(share).isLessThan(before);
            before = share;
        }
        assertThat(before).isBetween(0.02, 0.03);
    }
}
