package dev.besom.bench.turns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Turns.Contestant contestant = new Turns.Contestant("bloom");

    private void take(String operation, double... nanos) {
        for (double each : nanos) {
            contestant.take(operation, each);
        }
    }

    @Test
    void aJvmCountsWithTheSmallestOfItsFillsAndTheMedianOfItsQueries() {
        take("fill", 9, 7, 8);
        take("miss", 5, 1, 40, 2);
        contestant.end();
        take("fill", 6);
        take("miss", 10, 30, 20);
        contestant.end();
        assertThat(contestant.ofJvms("fill")).containsExactly(7, 6);
        assertThat(contestant.ofJvms("miss")).containsExactly(3.5, 20);
    }

    /** What went wrong before is told, not that nothing was measured. */
    @Test
    void aJvmThatEndsBeforeItHasMeasuredIsNoFailureOfItsOwn() {
        contestant.end();
        assertThat(contestant.ofJvms("hit")).containsExactly(Double.NaN);
        assertThat(contestant.ofJvms("fill-bulk")).containsExactly(Double.NaN);
    }
}
