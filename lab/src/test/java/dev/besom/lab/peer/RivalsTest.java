package dev.besom.lab.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import dev.besom.stored.MemoryHashes;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RivalsTest {

    private static final KeySpace SPACE = new KeySpace(20261117);
    private static final int KEYS = 20_000;
    private static final long BITS = 12L * KEYS;
    private static final long QUERIES = 300_000;

    static Stream<String> names() {
        return Rivals.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aRivalTakesNoMoreThanItsMemoryAndNearlyAllOfIt(String name) {
        assertThat(rival(name, Map.of()).sizeInBits()).isBetween((long) (0.93 * BITS), BITS);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aKeyThatWasMissingIsFoundOnceItIsPutIn(String name) {
        Rival rival = rival(name, Map.of());
        for (int i = 0; i < KEYS; i++) {
            long key = SPACE.foreign(i);
            if (rival.mightContainHash(key)) {
                rival.learnMissing(key);
            }
        }
        for (int i = 0; i < KEYS / 50; i++) {
            rival.insertHash(SPACE.foreign(i));
        }
        for (int i = 0; i < KEYS / 50; i++) {
            assertThat(rival.mightContainHash(SPACE.foreign(i))).isTrue();
        }
        for (long key : SPACE.stored(KEYS)) {
            assertThat(rival.mightContainHash(key)).isTrue();
        }
    }

    /** Wasted reads of a skewed stream, against those of a Bloom filter of the same memory. */
    @ParameterizedTest
    @MethodSource("names")
    void aSkewedStreamWastesFewerReadsThanWithABloomFilterOfTheSameMemory(String name) {
        double bloomRate = EqualMemory.fit(Filters.kind("bloom"), FilterSpec.of(KEYS, 0.5), BITS)
                .fpp();
        assertThat(wasted(rival(name, Map.of()))).isBetween(1L, (long) (bloomRate * QUERIES / 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cached-quotient", "cached-bloom"})
    void aCacheAnswersWhatItLearnedLastAndMakesTheFilterWorse(String name) {
        Rival cached = rival(name, Map.of("cache", "0.3"));
        Rival bare = rival(name, Map.of("cache", "0"));
        int learned = 0;
        for (int i = 0; i < 10_000; i++) {
            long key = SPACE.foreign(i);
            if (cached.mightContainHash(key)) {
                cached.learnMissing(key);
                assertThat(cached.mightContainHash(key)).isFalse();
                learned++;
            }
            if (bare.mightContainHash(key)) {
                bare.learnMissing(key);
                assertThat(bare.mightContainHash(key)).isTrue();
            }
        }
        assertThat(learned).isPositive();
        assertThat(wasted(cached, "uniform")).isGreaterThan(2 * wasted(bare, "uniform"));
    }

    @Test
    void breakEvenRepairsOneFalsePositiveInOnePlusCost() {
        Rival rival = rival("break-even", Map.of("cost", "3"));
        long wasted = wasted(rival, "uniform");
        double repairs = rival.adaptationStatistics().repairs();
        // Five standard deviations of a binomial count with chance 1/4.
        assertThat(repairs)
                .isBetween(
                        wasted / 4.0 - 5 * Math.sqrt(wasted * 3 / 16.0),
                        wasted / 4.0 + 5 * Math.sqrt(wasted * 3 / 16.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cached-quotient", "break-even"})
    void rivalsOnTablesOfFingerprintsGiveKeysUp(String name) {
        MemoryHashes stored = MemoryHashes.of(SPACE.stored(KEYS));
        Rival rival = Rivals.find(name)
                .maker()
                .fill(
                        new RivalPlan(FilterSpec.of(KEYS, 0.5), stored, BITS, () -> KnownMisses.NONE, Map.of()),
                        SPACE.stored(KEYS));
        int left = 0;
        for (int i = 0; i < KEYS; i++) {
            stored.remove(SPACE.stored((long) i));
            assertThat(((DeletableFilter) rival).deleteHash(SPACE.stored((long) i)))
                    .isTrue();
            left += rival.mightContainHash(SPACE.stored((long) i)) ? 1 : 0;
        }
        assertThat(rival.count()).isZero();
        assertThat(left).isLessThan(KEYS / 20);
    }

    @Test
    void aCacheKeepsTheLatestOfEachSet() {
        MissCache cache = new MissCache(8 * Long.SIZE, Long.SIZE);
        for (long hash = 1; hash <= 8; hash++) {
            cache.add(hash);
        }
        assertThat(cache.contains(1)).isTrue();
        cache.add(9);
        assertThat(cache.contains(2)).as("used longest ago").isFalse();
        assertThat(cache.contains(1)).as("used since").isTrue();
        cache.remove(5);
        assertThat(cache.contains(5)).isFalse();
        for (long hash : new long[] {1, 3, 4, 6, 7, 8, 9}) {
            assertThat(cache.contains(hash)).isTrue();
        }
        cache.add(0);
        assertThat(cache.contains(0)).as("never kept").isFalse();
        assertThat(new MissCache(8 * Long.SIZE - 1, Long.SIZE).sizeInBits()).isZero();
    }

    @Test
    void knownMissesAreThoseThatCameMoreThanOnceByTheirCount() {
        long[] log = {5, 7, 7, 9, 5, 7, 1, 2, 2, 2, 2};
        int[] next = {0};
        QueryStream stream = new QueryStream() {
            @Override
            public boolean hasNext() {
                return next[0] < log.length;
            }

            @Override
            public long next() {
                return log[next[0]++];
            }
        };
        KnownMisses known = KnownMisses.of(stream, 100, key -> key == 2);
        assertThat(known.first(known.size())).containsExactly(7, 5);
        assertThat(known.count(0)).isEqualTo(3);
        assertThat(known.queries()).isEqualTo(7);
    }

    @Test
    void anUnknownRivalIsRefusedWithAListOfTheKnown() {
        assertThatThrownBy(() -> Rivals.find("nope"))
                .hasMessageContaining("'rival:nope'")
                .hasMessageContaining("cached-quotient");
    }

    private static Rival rival(String name, Map<String, String> options) {
        RivalPlan plan = new RivalPlan(
                FilterSpec.of(KEYS, 0.5),
                MemoryHashes.of(SPACE.stored(KEYS)),
                BITS,
                () -> KnownMisses.of(stream("zipf:1.2"), QUERIES, key -> false),
                options);
        return Rivals.find(name).maker().fill(plan, SPACE.stored(KEYS));
    }

    private static QueryStream stream(String workload) {
        return ((Workload.Stream) Workloads.parse(workload)).open(SPACE, KEYS);
    }

    private static long wasted(Rival rival) {
        return wasted(rival, "zipf:1.2");
    }

    private static long wasted(Rival rival, String workload) {
        long wasted = 0;
        QueryStream stream = stream(workload);
        for (long i = 0; i < QUERIES; i++) {
            long key = stream.next();
            if (rival.mightContainHash(key)) {
                rival.learnMissing(key);
                wasted++;
            }
        }
        return wasted;
    }
}
