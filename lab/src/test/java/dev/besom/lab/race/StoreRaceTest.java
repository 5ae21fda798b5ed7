package dev.besom.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.StoredHashes;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreRaceTest {

    private static final int KEYS = 5000;
    private static final long QUERIES = 100_000;

    /** A store in memory that counts its reads, of 100 bytes each. */
    private static final class CountingStore implements RaceStore {
        private final RehashableMemoryHashes hashes;
        private long reads;
        private boolean isClosed;

        CountingStore(long[] keys) {
            hashes = RehashableMemoryHashes.of(keys);
        }

        @Override
        public boolean find(long hash) {
            reads++;
            return hashes.contains(hash);
        }

        @Override
        public StoredHashes hashes() {
            return hashes;
        }

        @Override
        public long bytesTouched() {
            return 100 * reads;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private final List<CountingStore> opened = new ArrayList<>();

    private List<StoreResult> race(RaceSpec.Builder spec) {
        return StoreRace.run(
                spec.n(KEYS).fpp(0.01).queries(QUERIES).toSpec(),
                keys -> {
                    CountingStore store = new CountingStore(keys);
                    opened.add(store);
                    return store;
                },
                step -> {});
    }

    @Test
    void whatIsReadAndWrittenIsCountedForEachMiss() {
        List<StoreResult> results = race(RaceSpec.of("bloom", "telescoping", "broom", "rival:cached-quotient")
                .workload("zipf:1.1")
                .hits(0.2));
        for (StoreResult result : results) {
            Tally tally = result.race().tally();
            double misses = tally.answers().misses();
            assertThat(misses).isBetween(0.79 * QUERIES, 0.81 * QUERIES);
            assertThat(tally.answers().falseNegatives()).isZero();
            assertThat(result.wastedReads() * misses)
                    .isCloseTo((double) tally.answers().falsePositives(), within(1e-6));
            assertThat(result.bytes() * misses)
                    .as("each read is 100 bytes, hits included")
                    .isCloseTo(100.0 * tally.answers().remoteReads(), within(1e-6));
            assertThat(result.latency().mean()).isPositive();
            assertThat(result.latency().median())
                    .isLessThanOrEqualTo(result.latency().p999());
            assertThat(result.fields()).containsKeys("accessesPerMiss", "modelAccessesPerMiss", "p99MissNs");
        }
        assertThat(results.get(0).accesses()).isEqualTo(results.get(0).wastedReads());
        assertThat(results.get(1).repairReads())
                .isCloseTo(
                        results.get(1).wastedReads(),
                        within(0.1 * results.get(1).wastedReads()));
        assertThat(results.get(1).repairWrites()).isZero();
        assertThat(results.get(2).repairWrites()).isPositive();
    }

    @Test
    void aStoreWhoseHashesWereMovedIsLeftToNobodyElse() {
        race(RaceSpec.of("bloom", "broom", "telescoping", "quotient").workload("uniform"));
        assertThat(opened).hasSize(2).allMatch(store -> store.isClosed);
    }

    /** An adaptive kind pays for each false positive once, and once more for its repair. */
    @Test
    void theModelIsNearWhatIsMeasuredWhereQueriesAreAllDifferent() {
        List<StoreResult> results = race(RaceSpec.of("telescoping", "quotient").workload("one-pass"));
        // Five standard deviations of some 500 to 1000 false positives.
        assertThat(results.get(0).accesses() / results.get(0).modelAccesses()).isBetween(0.8, 1.2);
        assertThat(results.get(1).accesses() / results.get(1).modelAccesses()).isBetween(0.8, 1.2);
    }

    @Test
    void underAnAdversaryTheModelBoundsAdaptiveKindsAndTheOthersNotAtAll() {
        List<StoreResult> results =
                race(RaceSpec.of("telescoping", "bloom", "rival:stacked").workload("adversary:3"));
        assertThat(results.get(0).accesses()).isLessThan(results.get(0).modelAccesses());
        assertThat(results.get(0).modelAccesses()).isLessThan(0.02);
        assertThat(results.get(1).modelAccesses()).isEqualTo(1);
        assertThat(results.get(2).modelAccesses())
                .as("of rivals it says nothing")
                .isNaN();
    }

    @Test
    void keysOfAStoreDoNotChange() {
        assertThatThrownBy(() -> race(RaceSpec.of("quotient").workload("churn")))
                .hasMessageContaining("churn");
        assertThat(opened).isEmpty();
    }

    @Test
    void percentilesAreToldWithinASixteenth() {
        Latencies latencies = new Latencies();
        assertThat(latencies.mean()).isNaN();
        assertThat(latencies.quantile(0.5)).isNaN();
        for (int nanos = 1; nanos <= 100_000; nanos++) {
            latencies.record(nanos);
        }
        assertThat(latencies.mean()).isCloseTo(50_000.5, within(1e-6));
        for (double part : new double[] {0.0001, 0.01, 0.5, 0.99, 0.999, 1}) {
            assertThat(latencies.quantile(part)).isBetween(part * 100_000 * 15 / 16, part * 100_000);
        }
        latencies.record(Long.MAX_VALUE);
        latencies.record(-1);
        assertThat(latencies.quantile(1)).isGreaterThan(8e18);
        assertThat(latencies.quantile(0)).isZero();
    }
}
