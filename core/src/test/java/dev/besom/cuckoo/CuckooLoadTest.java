package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters take the keys that they are planned for, at a load of 0.95, whatever the seed. */
@Tag("slow")
class CuckooLoadTest {

    @ParameterizedTest
    @CsvSource({
        "cuckoo, 4, 1000000, 2",
        "cuckoo, 1, 1000000, 2",
        "vacuum, , 1000000, 2",
        "cuckoo-windowed, , 1000000, 2",
        "cuckoo, 4, 300, 300",
        "cuckoo, 1, 300, 300",
        "vacuum, , 300, 300",
        "cuckoo-windowed, , 300, 300",
        "cuckoo, 4, 20, 3000",
        "cuckoo, 1, 20, 3000",
        "cuckoo-windowed, , 20, 3000"
    })
    void everySeedTakesAllKeys(String kind, String slots, int capacity, int builds) {
        assertThat(failures(kind, slots, capacity, builds)).isZero();
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "cuckoo, 4, 1000000, 1000",
        "cuckoo, 1, 1000000, 1000",
        "vacuum, , 1000000, 1000",
        "cuckoo-windowed, , 1000000, 1000",
        "cuckoo, 4, 10000000, 30",
        "cuckoo, 1, 10000000, 30",
        "vacuum, , 10000000, 30",
        "cuckoo-windowed, , 10000000, 30"
    })
    void atMostOneOfAThousandSeedsFails(String kind, String slots, int capacity, int builds) {
        assertThat(failures(kind, slots, capacity, builds)).isLessThanOrEqualTo(builds / 1_000);
    }

    private static int failures(String kind, String slots, int capacity, int builds) {
        int failures = 0;
        for (int build = 0; build < builds; build++) {
            FilterSpec spec = FilterSpec.of(capacity, 1 / 256.0).withSeed(build);
            PartialKeyFilter filter = (PartialKeyFilter)
                    Filters.makeHashFilter(kind, slots == null ? spec : spec.with("slots", slots), StoredHashes.none());
            if (capacity >= 1_000_000) {
                assertThat((double) capacity / filter.slotCount).isGreaterThan(0.9499);
            }
            try {
                for (int i = 0; i < capacity; i++) {
                    filter.insertHash(Mix.expand(i, (long) build << 32, 1));
                }
            } catch (FilterFullException e) {
                failures++;
            }
        }
        return failures;
    }
}
