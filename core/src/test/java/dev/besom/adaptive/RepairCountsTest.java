package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import org.junit.jupiter.api.Test;

class RepairCountsTest {

    @Test
    void everyAnswerReadAndMoveIsCountedOnceAndInItsPlace() {
        RepairCounts counts = new RepairCounts();
        assertThat(counts.counted(Adaptation.FIXED)).isEqualTo(Adaptation.FIXED);
        assertThat(counts.counted(Adaptation.FORGOT)).isEqualTo(Adaptation.FORGOT);
        for (int i = 0; i < 3; i++) {
            assertThat(counts.counted(Adaptation.INSEPARABLE)).isEqualTo(Adaptation.INSEPARABLE);
        }
        for (int i = 0; i < 4; i++) {
            counts.countRangeRead();
        }
        counts.countMove(5);
        counts.countMove(2);
        assertThat(counts.statistics()).isEqualTo(new AdaptationStatistics(2, 1, 3, 4, 7, 2));
    }
}
