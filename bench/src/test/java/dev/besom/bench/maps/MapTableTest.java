package dev.besom.bench.maps;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MapTableTest {

    /** Measuring looks at the value of every key. */
    @ParameterizedTest
    @EnumSource
    void everyContenderHasTheRightValuesAndFewOthers(Rival rival) {
        MapTable.Measured measured = MapTable.measure(rival, 20_000);
        double most = rival == Rival.HASH_MAP || rival == Rival.FASTUTIL ? 0 : 3.0 / (1 << Rival.FINGERPRINT_BITS);
        assertThat(measured.foundOfAbsent()).isLessThanOrEqualTo(most);
        assertThat(measured.hitNs()).isPositive();
        MapTable.Measured parsed = MapTable.Measured.parse(measured.line());
        assertThat(parsed.missNs()).isEqualTo(Math.round(measured.missNs() * 1000) / 1000.0);
    }
}
