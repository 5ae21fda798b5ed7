package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SketchTest {

    private static Map<Long, Integer> fill(CountMin sketch, HeavyHitters heavy, SplittableRandom random, int draws) {
        Map<Long, Integer> truth = new HashMap<>();
        for (int i = 0; i < draws; i++) {
            // Key k is drawn in proportion to 1 / k, roughly.
            long key = (long) Math.exp(random.nextDouble() * Math.log(50_000));
            truth.merge(key, 1, Integer::sum);
            heavy.offer(key, sketch.add(key));
        }
        return truth;
    }

    @Test
    void aCountIsNeverTooLowAndSeldomTooHigh() {
        CountMin sketch = new CountMin(14);
        Map<Long, Integer> truth = fill(sketch, new HeavyHitters(10), new SplittableRandom(21), 100_000);
        int tooHigh = 0;
        for (Map.Entry<Long, Integer> entry : truth.entrySet()) {
            int count = sketch.count(entry.getKey());
            assertThat(count).isGreaterThanOrEqualTo(entry.getValue());
            tooHigh += count > entry.getValue() ? 1 : 0;
        }
        // Three rows of 16384 cells for about 25,000 keys.
        assertThat(truth.size()).isBetween(20_000, 35_000);
        assertThat(tooHigh).isLessThan(truth.size() / 2);
    }

    @Test
    void theHeaviestAreAllAmongTheHeavyHitters() {
        CountMin sketch = new CountMin(14);
        HeavyHitters heavy = new HeavyHitters(32);
        Map<Long, Integer> truth = fill(sketch, heavy, new SplittableRandom(22), 100_000);
        assertThat(heavy.size()).isEqualTo(32);
        truth.entrySet().stream()
                .sorted((a, b) -> b.getValue() - a.getValue())
                .limit(16)
                .forEach(entry -> assertThat(heavy.count(entry.getKey()))
                        .as("key %d", entry.getKey())
                        .isGreaterThanOrEqualTo(entry.getValue()));
        assertThat(heavy.count(-1)).isZero();
    }

    @Test
    void aFrozenLevelIsNeverTooLowHoweverManyCellsAreJoined() {
        CountMin keys = new CountMin(12);
        CountMin queries = new CountMin(12);
        Map<Long, Integer> keyTruth = fill(keys, new HeavyHitters(1), new SplittableRandom(23), 20_000);
        Map<Long, Integer> queryTruth = fill(queries, new HeavyHitters(1), new SplittableRandom(24), 20_000);
        for (int bits : new int[] {5, 8, 12}) {
            for (int base : new int[] {1, 3, 16}) {
                LevelSketch frozen = CountMin.frozen(keys, bits, base, queries, 12, base);
                for (long key = 1; key < 3_000; key++) {
                    int keyClass = frozen.classOf(key);
                    assertThat(keyClass / LevelSketch.LEVELS)
                            .isGreaterThanOrEqualTo(CountMin.level(keyTruth.getOrDefault(key, 0), base));
                    assertThat(keyClass % LevelSketch.LEVELS)
                            .isGreaterThanOrEqualTo(CountMin.level(queryTruth.getOrDefault(key, 0), base))
                            .isEqualTo(CountMin.level(queries.count(key), base));
                }
            }
        }
    }

    @Test
    void levelsStartAtTheBaseAndDouble() {
        int[] levels = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3};
        for (int count = 0; count < levels.length; count++) {
            assertThat(CountMin.level(count, 3)).as("level of %d", count).isEqualTo(levels[count]);
        }
        assertThat(CountMin.level(Integer.MAX_VALUE, 1)).isEqualTo(3);
    }

    @Test
    void eachHashOfAStreamIsInTheReservoirWithTheSameChance() {
        int[] kept = new int[200];
        for (int seed = 0; seed < 2_000; seed++) {
            Reservoir reservoir = new Reservoir(20, seed * 1_000_003L);
            for (int i = 0; i < kept.length; i++) {
                reservoir.add(i);
            }
            assertThat(reservoir.size()).isEqualTo(20);
            for (int i = 0; i < 20; i++) {
                kept[(int) reservoir.hash(i)]++;
            }
        }
        // 200 expected each, 13.4 standard deviation; 200 of them.
        for (int i = 0; i < kept.length; i++) {
            assertThat(kept[i]).as("hash %d", i).isBetween(200 - 80, 200 + 80);
        }
    }
}
