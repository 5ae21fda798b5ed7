package dev.besom.lab.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.lab.workload.KeySpace;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {

    private static final KeySpace SPACE = new KeySpace(20260104);

    static Stream<String> names() {
        return Peers.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPeerFindsItsKeysAndFewOthers(String name) {
        long[] keys = SPACE.stored(20_000);
        MembershipFilter filter = Peers.find(name).fill(FilterSpec.of(keys.length, 0.01), keys);
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
        int wrong = 0;
        for (int i = 0; i < 50_000; i++) {
            if (filter.mightContainHash(SPACE.foreign(i))) {
                wrong++;
            }
        }
        assertThat(wrong / 50_000.0).isLessThan(0.04);
        assertThat(filter.sizeInBits() / (double) keys.length).isBetween(7.0, 30.0);
        assertThat(filter.count()).isBetween(19_000L, 21_000L);
        assertThat(filter.expectedFpp()).isBetween(0.00001, 0.04);
    }
}
