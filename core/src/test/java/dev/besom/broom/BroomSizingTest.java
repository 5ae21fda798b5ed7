package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BroomSizingTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0.1, 0.02, 0.01, 1 / 256.0, 0.001, 1e-5, 1e-9})
    void aBinKeepsItsRateAndLeavesRoomForExtensions(double fpp) {
        BroomSizing.Bin bin = BroomSizing.bin(fpp);
        double rate = bin.keys() / bin.runs() * Math.scalb(1.0, -bin.remainderBits());
        assertThat(rate).isLessThanOrEqualTo(fpp * (1 + 1e-9));
        assertThat(bin.words()).isLessThanOrEqualTo(16);
        assertThat(bin.slots() * bin.remainderBits()).isLessThanOrEqualTo((bin.words() - 4) * 64);
        assertThat(BroomSizing.metadataLeft(bin.runs(), bin.slots())).isGreaterThanOrEqualTo((int)
                (8 + (0.6 + 18 * Math.min(fpp, 1 / 16.0)) * bin.keys()));
    }

    @Test
    void aBinAtOneIn256HasTwoCacheLinesWith96Slots() {
        BroomSizing.Bin bin = BroomSizing.bin(1 / 256.0);
        assertThat(bin.words()).isEqualTo(16);
        assertThat(bin.slots()).isEqualTo(96);
        assertThat(bin.runs()).isEqualTo(88);
        assertThat(bin.remainderBits()).isEqualTo(8);
        assertThat(bin.keys()).isBetween(87.0, 87.5);
    }

    @Test
    void rateBeyondAllRemaindersIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BroomSizing.bin(1e-15));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20, 23, 24, 25, 27, 40, 100})
    void oneOverflowBinFewerWouldBeTooLikelyToFillUp(int guess) {
        long bins = 11_500;
        long keys = (long) (bins * 87.18);
        int overflow = BroomSizing.overflowBins(keys, bins, 96, 1024, 120, guess);
        assertThat(BroomSizing.chanceOfFullOverflowBin(keys, bins, 96, 1024, overflow, 120))
                .isBetween(1e-24, 1e-18);
        assertThat(BroomSizing.chanceOfFullOverflowBin(keys, bins, 96, 1024, overflow - 1, 120))
                .isGreaterThan(1e-18);
    }

    @Test
    void aFilterOfOneBinNeverOverflows() {
        assertThat(BroomSizing.overflowBins(80, 1, 96, 1, 120, 1)).isEqualTo(1);
        assertThat(BroomSizing.chanceOfFullOverflowBin(80, 1, 96, 1, 1, 120)).isZero();
    }

    /**
     * Throws keys into bins and counts. The tail that the sizing uses is too thin to be seen; the same computation for
     * overflow bins of fewer slots, which fill up now and then, is seen.
     */
    @Test
    void simulatedOverflowBinsFillUpAsOftenAsComputed() {
        int groupBins = 64;
        int bins = 64 * 40;
        int slots = 24;
        int overflowBins = 3;
        int overflowSlots = 22;
        long keys = bins * 20L;
        double chance = BroomSizing.chanceOfFullOverflowBin(keys, bins, slots, groupBins, overflowBins, overflowSlots);
        SplittableRandom random = new SplittableRandom(5);
        int rounds = 60;
        long full = 0;
        for (int round = 0; round < rounds; round++) {
            int[] load = new int[bins];
            int[] overflow = new int[bins / groupBins * overflowBins];
            for (long key = 0; key < keys; key++) {
                int bin = random.nextInt(bins);
                if (++load[bin] > slots) {
                    overflow[bin / groupBins * overflowBins + random.nextInt(overflowBins)]++;
                }
            }
            for (int each : overflow) {
                full += each >= overflowSlots ? 1 : 0;
            }
        }
        double trials = (double) rounds * bins / groupBins * overflowBins;
        double expected = trials * chance;
        assertThat(expected).isGreaterThan(100);
        assertThat((double) full).isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
    }

    @Test
    void theChancesOfOneBinAddUpToOneAndHaveTheRightMean() {
        double[] chances = BroomSizing.overflowOfOneBin(8_718, 100, 96, 4, 300);
        double sum = 0;
        double mean = 0;
        for (int i = 0; i < chances.length; i++) {
            sum += chances[i];
            mean += i * chances[i];
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
        double[] whole = BroomSizing.overflowOfOneBin(8_718, 100, 96, 1, 300);
        double wholeMean = 0;
        for (int i = 0; i < whole.length; i++) {
            wholeMean += i * whole[i];
        }
        assertThat(mean * 4).isBetween(wholeMean * (1 - 1e-9), wholeMean * (1 + 1e-9));
    }
}
