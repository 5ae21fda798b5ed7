package dev.besom.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdversaryTest {

    private static final KeySpace SPACE = new KeySpace(20260102);
    private static final int STORED = 10_000;

    @Test
    void aTargetThatNeverAdaptsIsWrongOnEveryQueryOfTheLastRound() {
        Adversary.Outcome outcome = adversary("adversary:3").play(SPACE, STORED, AdversaryTest::isOneInFifty);

        assertThat(outcome.lastRoundRate()).isEqualTo(1);
        assertThat(outcome.rounds()).isEqualTo(Adversary.DEFAULT_ROUNDS);
        assertThat((double) outcome.remaining()).isCloseTo(600, within(6 * Math.sqrt(600)));
    }

    @Test
    void aTargetThatRepairsForGoodIsNeverWrongInTheLastRound() {
        Set<Long> repaired = new HashSet<>();
        Adversary.Outcome outcome =
                adversary("adversary:3").play(SPACE, STORED, key -> isOneInFifty(key) && repaired.add(key));

        assertThat(outcome).isEqualTo(new Adversary.Outcome(2, 0, 0));
    }

    @Test
    void anExactTargetEndsTheGameInOneRound() {
        assertThat(adversary("adversary:3").play(SPACE, STORED, key -> false))
                .isEqualTo(new Adversary.Outcome(1, 0, 0));
    }

    @Test
    void eachKeyOfTheSetIsAskedTenTimesARound() {
        Map<Long, Integer> asked = new HashMap<>();
        adversary("adversary:0.5:1").play(SPACE, 200, key -> {
            asked.merge(key, 1, Integer::sum);
            return false;
        });

        assertThat(asked).hasSize(100);
        assertThat(asked.values()).containsOnly(10);
    }

    @Test
    void aKeyThatWasWrongOnceInARoundStaysForTheNext() {
        // Wrong in the first sub-round of each round only: every tenth time that it is asked for.
        Map<Long, Integer> asked = new HashMap<>();
        Adversary.Outcome outcome =
                adversary("adversary:1:4").play(SPACE, 1000, key -> (asked.merge(key, 1, Integer::sum) - 1) % 10 == 0);

        assertThat(outcome.rounds()).isEqualTo(4);
        assertThat(outcome.remaining()).isEqualTo(1000);
        assertThat(outcome.lastRoundRate()).isEqualTo(0.1);
    }

    @Test
    void moreQueriesThanAnArrayHoldsAreRefused() {
        assertThatThrownBy(() -> adversary("adversary:1000").play(SPACE, 1_000_000_000, key -> false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("adversary:1000");
    }

    private static boolean isOneInFifty(long key) {
        return Long.remainderUnsigned(key, 50) == 0;
    }

    private static Adversary adversary(String name) {
        return (Adversary) Workloads.parse(name);
    }
}
