package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys whose puts have failed, that arrive in the store after their shard has grown. */
class UncertainPutsInGrowthTest {

    /** Keys are their own hashes, so that they can be placed. */
    private record Identity() implements KeyHasher<Long> {
        @Override
        public long hash(Long key) {
            return key;
        }

        @Override
        public boolean needsNoSecret() {
            return true;
        }

        @Override
        public HasherStamp stamp() {
            return new HasherStamp("test:identity", 1);
        }
    }

    private final FailingStore<Long, Long> store = new FailingStore<>();
    private final List<Long> uncertain = new ArrayList<>();

    private StoreGuard<Long, Long> guard(String kind, double fpp, long capacity) {
        return Guard.builder(store, new Identity())
                .kind(kind)
                .fpp(fpp)
                .shards(2)
                .capacity(capacity)
                .open();
    }

    private void putInVain(StoreGuard<Long, Long> guard, long key) {
        store.puts = Failure.BEFORE;
        try {
            guard.put(key, key);
        } catch (Outage e) {
            uncertain.add(key);
        } finally {
            store.puts = Failure.NEVER;
        }
    }

    /** How many of the uncertain keys are hidden when they have arrived. */
    private long hiddenAfterArrival(StoreGuard<Long, Long> guard) {
        uncertain.forEach(key -> store.inner().put(key, key, key));
        return uncertain.stream().filter(key -> guard.get(key) == null).count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension", "broom"})
    void storeThatFailsAtAnyRangeReadWithinGrowthHidesNoneOfThem(String kind) {
        for (int failing = 1; failing <= 40; failing++) {
            uncertain.clear();
            store.clear();
            StoreGuard<Long, Long> guard = guard(kind, 1.0 / 256, 600);
            SplittableRandom random = new SplittableRandom(1);
            List<Long> stored = new ArrayList<>();
            while (stored.size() < 250) {
                long key = random.nextLong() >>> 1;
                guard.put(key, key);
                stored.add(key);
            }
            // Some look like stored keys, so that each of them needs a read of the store.
            for (int i = 0; i < 40; i++) {
                putInVain(guard, i % 8 == 0 ? stored.get(i) ^ 1 : random.nextLong() >>> 1);
            }
            int[] left = {failing};
            store.beforeRange = () -> {
                if (--left[0] == 0) {
                    throw new Outage();
                }
            };
            for (int i = 0; i < 2_600 && guard.statistics().growths() == 0; i++) {
                long key = random.nextLong() >>> 1;
                try {
                    guard.put(key, key);
                } catch (Outage e) {
                    assertThat(left[0]).isLessThanOrEqualTo(0);
                }
            }
            store.beforeRange = () -> {};
            assertThat(guard.statistics().growths()).isPositive();
            assertThat(uncertain).hasSize(40);
            assertThat(hiddenAfterArrival(guard))
                    .as("failing at read %s", failing)
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "broom"})
    void crowdsWherePiecesOfGrowthMeetHideNoneOfThem(String kind) {
        long hidden = 0;
        for (int seed = 0; seed < Seeds.repetitions(20, 60); seed++) {
            uncertain.clear();
            store.clear();
            SplittableRandom random = new SplittableRandom(seed);
            int capacity = 16_384;
            StoreGuard<Long, Long> guard = guard(kind, 0.5, capacity + random.nextInt(capacity));
            for (int i = 0; i < capacity / 3; i++) {
                long key = random.nextLong() >>> 1;
                guard.put(key, key);
            }
            // Stored keys close above the places where pieces meet, and uncertain ones close below.
            for (long piece = 1; piece < 64; piece++) {
                for (int i = 0; i < 3; i++) {
                    long key = (piece << 57) + (random.nextLong() >>> 18);
                    guard.put(key, key);
                }
            }
            for (long piece = 1; piece < 64; piece++) {
                putInVain(guard, (piece << 57) - 1 - (random.nextLong() >>> 18));
            }
            for (int i = 0; i < 40_000 && guard.statistics().growths() == 0; i++) {
                long key = random.nextLong() >>> 1;
                guard.put(key, key);
            }
            assertThat(guard.statistics().growths()).isPositive();
            hidden += hiddenAfterArrival(guard);
        }
        assertThat(hidden).isZero();
    }
}
