package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BroomSizingTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0.1, 0.06, 0.03, 0.02, 0.01, 0.007, 1 / 256.0, 1 / 300.0, 0.001})
    void aBinKeepsItsRateAndLeavesRoomForExtensions(double fpp) {
        BroomSizing.Bin bin = BroomSizing.bin(fpp);
        double rate = bin.keys() / bin.runs() * Math.scalb(1.0, -bin.remainderBits());
        assertThat(rate).isLessThanOrEqualTo(fpp * (1 + 1e-9));
        assertThat(bin.words()).isEqualTo(8);
        assertThat(new LineLayout(bin.runs(), bin.slots(), bin.remainderBits()).freeBits())
                .isGreaterThanOrEqualTo((int) (1 + (0.5 + 16 * Math.min(fpp, 1 / 16.0)) * bin.keys()));
    }

    @Test
    void aBinAtOneIn256IsACacheLineWith48Slots() {
        BroomSizing.Bin bin = BroomSizing.bin(1 / 256.0);
        assertThat(bin.words()).isEqualTo(8);
        assertThat(bin.slots()).isEqualTo(48);
        assertThat(bin.runs()).isEqualTo(44);
        assertThat(bin.remainderBits()).isEqualTo(8);
        assertThat(bin.keys()).isBetween(43.9, 44.0);
    }

    @Test
    void aRateBeyondAllRemaindersIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BroomSizing.bin(1e-9));
    }

    /** The bound that the sizing uses is too far out to be seen; the same computation for a chance of one in two is. */
    @Test
    void overflowOfSimulatedFiltersStaysBelowItsBoundAndNearIt() {
        int bins = 700;
        int slots = 48;
        long keys = bins * 44L;
        double most = BroomSizing.mostOfSum(BroomSizing.overflowOfOneBin(keys, bins, slots), bins, 0.5);
        SplittableRandom random = new SplittableRandom(5);
        int rounds = 300;
        int above = 0;
        double sum = 0;
        for (int round = 0; round < rounds; round++) {
            int[] load = new int[bins];
            int over = 0;
            for (long key = 0; key < keys; key++) {
                over += ++load[random.nextInt(bins)] > slots ? 1 : 0;
            }
            above += over > most ? 1 : 0;
            sum += over;
        }
        assertThat(above).isBetween(1, rounds / 2);
        double mean = bins * mean(BroomSizing.overflowOfOneBin(keys, bins, slots));
        assertThat(sum / rounds).isBetween(mean * 0.98, mean * 1.02);
        assertThat(BroomSizing.mostOverflowed(keys, bins, slots)).isBetween(1.2 * mean, 3 * mean);
    }

    @Test
    void noMoreKeysOverflowThanThereAre() {
        assertThat(BroomSizing.mostOverflowed(30, 1, 48)).isLessThanOrEqualTo(30);
        assertThat(BroomSizing.mostOverflowed(100, 1, 48)).isLessThanOrEqualTo(100);
    }

    @Test
    void theChancesOfOneBinAddUpToOne() {
        double sum = 0;
        for (double chance : BroomSizing.overflowOfOneBin(44_000, 1_000, 48)) {
            sum += chance;
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
    }

    private static double mean(double[] chances) {
        double mean = 0;
        for (int i = 0; i < chances.length; i++) {
            mean += i * chances[i];
        }
        return mean;
    }
}
