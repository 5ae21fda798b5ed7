package dev.besom.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LastResultTest {

    private final List<Double> asked = new ArrayList<>();

    private final LastResult<Double, Double> root = new LastResult<>(x -> {
        asked.add(x);
        if (x < 0) {
            throw new IllegalArgumentException("no root of " + x);
        }
        return Math.sqrt(x);
    });

    @Test
    void theSameArgumentIsComputedOnce() {
        assertThat(root.of(4.0)).isEqualTo(2);
        assertThat(root.of(4.0)).isEqualTo(2);
        assertThat(asked).containsExactly(4.0);
    }

    @Test
    void anotherArgumentHasItsOwnResult() {
        assertThat(root.of(4.0)).isEqualTo(2);
        assertThat(root.of(9.0)).isEqualTo(3);
        assertThat(root.of(4.0)).isEqualTo(2);
        assertThat(asked).containsExactly(4.0, 9.0, 4.0);
    }

    @Test
    void whatItThrowsIsThrownAgain() {
        root.of(4.0);
        assertThatThrownBy(() -> root.of(-1.0)).hasMessage("no root of -1.0");
        assertThatThrownBy(() -> root.of(-1.0)).hasMessage("no root of -1.0");
        assertThat(root.of(4.0)).isEqualTo(2);
    }
}
