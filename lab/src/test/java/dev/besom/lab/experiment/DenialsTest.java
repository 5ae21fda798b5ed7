package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.lab.race.KeySet;
import org.junit.jupiter.api.Test;

class DenialsTest {

    @Test
    void aDenialLastsUntilTheFilterChangesHoweverOftenItHas() {
        Denials denials = new Denials();
        for (int change = 0; change < 1000; change++) {
            assertThat(denials.has(7)).isFalse();
            denials.add(change % 300 == 0 ? 7 : 5000);
            assertThat(denials.has(7)).isEqualTo(change % 300 == 0);
            denials.forget();
        }
    }

    @Test
    void keysWithoutANumberAreNeverDenied() {
        Denials denials = new Denials();
        denials.add(-1);
        assertThat(denials.has(-1)).isFalse();
        KeySet keys = new KeySet();
        assertThat(Denials.number(keys, 42)).isZero();
        assertThat(Denials.number(keys, 43)).isEqualTo(1);
        assertThat(Denials.number(keys, 42)).isZero();
    }
}
