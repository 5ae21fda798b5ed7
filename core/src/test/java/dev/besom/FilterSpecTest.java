package dev.besom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSpecTest {

    private static final FilterSpec SPEC = FilterSpec.of(10, 0.5);

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN, Double.POSITIVE_INFINITY, -0.0})
    void aRateThatIsNoRateIsRefused(double fpp) {
        assertThatThrownBy(() -> FilterSpec.of(10, fpp))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("false-positive rate must be above 0 and below 1, not " + fpp);
        assertThatThrownBy(() -> SPEC.withFpp(fpp)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aCapacityForNoKeysIsRefused(long capacity) {
        assertThatThrownBy(() -> FilterSpec.of(capacity, 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be at least 1, not " + capacity);
        assertThatThrownBy(() -> SPEC.withCapacity(capacity)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theSmallestAndLargestValuesAreAllowed() {
        assertThat(FilterSpec.of(1, Double.MIN_VALUE).fpp()).isPositive();
        assertThat(FilterSpec.of(Long.MAX_VALUE, Math.nextDown(1.0)).capacity()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void changesMakeCopies() {
        FilterSpec changed = SPEC.withCapacity(20).withFpp(0.25).withSeed(3).with("a", "1");
        assertThat(changed).isEqualTo(new FilterSpec(20, 0.25, 3, Map.of("a", "1")));
        assertThat(SPEC).isEqualTo(new FilterSpec(10, 0.5, 0, Map.of()));
    }

    @Test
    void optionsThatAreGivenCannotBeChangedLater() {
        Map<String, String> options = new HashMap<>(Map.of("a", "1"));
        FilterSpec spec = new FilterSpec(10, 0.5, 0, options);
        options.put("b", "2");
        assertThat(spec.options()).containsOnlyKeys("a");
        assertThatThrownBy(() -> spec.options().put("b", "2")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void optionsThatAreNotSetFallBackEvenPastTheirBounds() {
        assertThat(SPEC.option("a", "text")).isEqualTo("text");
        assertThat(SPEC.option("a", 0L, 1L, 2L)).isZero();
        assertThat(SPEC.option("a", 0.0, 1.0, 2.0)).isZero();
    }

    @Test
    void optionsAreReadWithinTheirBounds() {
        assertThat(SPEC.with("a", "2").option("a", 0L, 1L, 2L)).isEqualTo(2);
        assertThat(SPEC.with("a", "1.5").option("a", 0.0, 1.0, 2.0)).isEqualTo(1.5);
        assertWholeRefused("3", "option a must be from 1 to 2, not 3");
        assertWholeRefused("0", "option a must be from 1 to 2, not 0");
        assertWholeRefused("1.5", "option a must be a whole number, not '1.5'");
        assertWholeRefused("", "option a must be a whole number, not ''");
        assertWholeRefused("99999999999999999999", "option a must be a whole number, not '99999999999999999999'");
        assertNumberRefused("2.5", "option a must be from 1.0 to 2.0, not 2.5");
        assertNumberRefused("NaN", "option a must be from 1.0 to 2.0, not NaN");
        assertNumberRefused("x", "option a must be a number, not 'x'");
    }

    private static void assertWholeRefused(String value, String message) {
        assertThatThrownBy(() -> SPEC.with("a", value).option("a", 0L, 1L, 2L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static void assertNumberRefused(String value, String message) {
        assertThatThrownBy(() -> SPEC.with("a", value).option("a", 0.0, 1.0, 2.0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
