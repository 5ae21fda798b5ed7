package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.filters.Filters;
import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a guard promises with each kind of adaptive filter. */
@Isolated
class GuardKindsTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6b696e64L);

    @Test
    void severalKindsAreThereAndTelescopingIsTheDefault() {
        assertThat(PossibleKinds.names()).contains("telescoping", "telescoping-compact", "extension", "broom");
        assertThat(Guard.over(new MemoryStore<Long, Long>(), SEEDED).kind()).isEqualTo("telescoping");
    }

    @Test
    void kindsThatDoNotAdaptOrGrowAndUnknownOptionsAreRefused() {
        GuardBuilder<Long, StoreGuard<Long, Long>> builder = Guard.builder(new MemoryStore<Long, Long>(), SEEDED);
        assertThatThrownBy(() -> builder.kind("bloom"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bloom");
        assertThatThrownBy(() -> builder.kind("cascade")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.kind("besom")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.kind("broom").option("load", "0.9").open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("load");
    }

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void holdsHashesThatCrowdInOnePlaceAndOpensOverThem(String kind) {
        // One place anywhere, and one near the end of the range.
        for (long seed : new long[] {0, 18}) {
            KeyHasher<Long> crowded = new CrowdedHasher(seed, 1);
            MemoryStore<Long, Long> store = new MemoryStore<>();
            for (long keys = 150; keys <= 350; keys += 100) {
                GuardBuilder<Long, StoreGuard<Long, Long>> builder =
                        Guard.builder(store, crowded).kind(kind).fpp(0.25);
                try (StoreGuard<Long, Long> guard = builder.shards(2).open()) {
                    for (long key = keys - 100; key < keys; key++) {
                        guard.put(key, key);
                    }
                    for (long key = 50; key < keys; key++) {
                        assertThat(guard.get(key)).isEqualTo(key);
                    }
                }
            }
        }
    }

    /** The highest of all hashes. */
    private record LastHashes() implements KeyHasher<Long> {

        @Override
        public long hash(Long key) {
            return -1L - key;
        }

        @Override
        public HasherStamp stamp() {
            return new HasherStamp("test:last", 0);
        }

        @Override
        public boolean needsNoSecret() {
            return true;
        }
    }

    @Test
    void keysAreRefusedIfTheirHashesCrowdWhateverTheFilter() {
        // Behind the last quotient a table has spare slots for some hundred keys, however large it is.
        StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<Long, Long>(), new LastHashes());
        assertThatThrownBy(() -> {
                    for (long key = 0; key < 1_000; key++) {
                        guard.put(key, key);
                    }
                })
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("hasher");
    }

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void whatIsNotRefusedIsFoundHoweverHashesCrowdAlsoAfterANewStart(String kind) {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        long taken = 0;
        try (StoreGuard<Long, Long> guard =
                Guard.builder(store, new LastHashes()).kind(kind).open()) {
            for (; taken < 600; taken++) {
                guard.put(taken, taken);
            }
        } catch (FilterFullException e) {
            assertThat(e).hasMessageContaining("hasher");
        }
        assertThat(taken).isPositive();
        try (StoreGuard<Long, Long> again =
                Guard.builder(store, new LastHashes()).kind(kind).open()) {
            for (long key = 0; key < taken; key++) {
                assertThat(again.get(key)).isEqualTo(key);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void behavesLikeAMapThroughGrowthFailuresAndRemoval(String kind) {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).kind(kind).fpp(0.1).shards(2).open();
        SplittableRandom random = new SplittableRandom(17);
        for (int step = 0; step < 30_000; step++) {
            long key = random.nextLong(5_000);
            boolean fails = random.nextInt(16) == 0;
            store.writes = !fails ? Failure.NEVER : random.nextBoolean() ? Failure.BEFORE : Failure.AFTER;
            store.ranges = random.nextInt(64) == 0 ? Failure.BEFORE : Failure.NEVER;
            try {
                if (random.nextInt(4) == 0) {
                    guard.remove(key);
                } else {
                    guard.put(key, key);
                }
            } catch (Outage e) {
                assertThat(fails || store.ranges == Failure.BEFORE).isTrue();
            }
            store.ranges = Failure.NEVER;
            long asked = random.nextLong(10_000);
            assertThat(guard.get(asked)).isEqualTo(store.inner().get(asked));
        }
        store.writes = Failure.NEVER;
        assertThat(guard.statistics().growths()).isPositive();
        List<Long> all = new ArrayList<>();
        for (long key = 0; key < 5_000; key++) {
            assertThat(guard.get(key)).isEqualTo(store.inner().get(key));
            all.add(key);
        }
        assertThat((long) guard.getAll(all).size())
                .isEqualTo(store.inner().hashes().count());
    }

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void eachFalsePositiveIsPaidForOnce(String kind) {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        int n = 20_000;
        for (long key = 0; key < n; key++) {
            store.put(key, SEEDED.hash(key), key);
        }
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).kind(kind).capacity(n).open();
        int missing = 200_000;
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < missing; key++) {
                assertThat(guard.get(-1 - key) == null).isTrue();
            }
        }
        // A heuristic kind undoes some repairs by others, and promises nothing.
        long tenths = Filters.kind(kind).adaptivity() == Kind.Adaptivity.PROVABLE ? 11 : 20;
        assertThat(guard.statistics().lookups().falsePositives())
                .isBetween(missing / 256 / 2L, missing / 256 * tenths / 10);
        assertThat(guard.statistics().reads().byLookups())
                .isEqualTo(guard.statistics().lookups().falsePositives());
    }

    /** Queries see words that change under them; none may hang, fail, or miss a stored key. */
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void storedKeysAreFoundWhileOthersWriteRepairAndGrow(String kind) throws Exception {
        StoreGuard<Long, Long> guard = Guard.builder(new MemoryStore<Long, Long>(), SEEDED)
                .kind(kind)
                .fpp(0.1)
                .shards(2)
                .open();
        int kept = 2_000;
        for (long key = 0; key < kept; key++) {
            guard.put(key, key);
        }
        AtomicBoolean isDone = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Long>> readers = new ArrayList<>();
            for (int r = 0; r < 2; r++) {
                SplittableRandom random = new SplittableRandom(200 + r);
                readers.add(threads.submit(() -> {
                    long asked = 0;
                    while (!isDone.get()) {
                        long key = random.nextLong(kept);
                        if (guard.get(key) == null) {
                            throw new AssertionError("key " + key + " was lost");
                        }
                        guard.get(-1 - random.nextLong(1L << 40));
                        asked++;
                    }
                    return asked;
                }));
            }
            for (long key = kept; key < 12_000; key++) {
                assertThat(guard.put(key, key)).isTrue();
                if (key % 3 != 0) {
                    assertThat(guard.remove(key)).isTrue();
                }
            }
            isDone.set(true);
            for (Future<Long> reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            isDone.set(true);
            threads.shutdownNow();
        }
        assertThat(guard.statistics().growths()).isPositive();
    }

    /** What the guard's page says of puts while a shard grows. */
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void onePutReadsAPieceOfAShardThatGrows(String kind) {
        FailingStore<Long, Long> counting = new FailingStore<>();
        StoreGuard<Long, Long> guard = Guard.builder(counting, SEEDED)
                .kind(kind)
                .shards(2)
                .capacity(20_000)
                .open();
        long most = 0;
        long together = 0;
        for (long key = 0; key < 25_000; key++) {
            counting.hashesGiven.set(0);
            guard.put(key, key);
            most = Math.max(most, counting.hashesGiven.get());
            together += counting.hashesGiven.get();
        }
        assertThat(guard.statistics().growths()).isEqualTo(2);
        assertThat(most).isBetween(100L, 500L);
        assertThat(together).as("each hash is read about once").isLessThan(40_000);
        for (long key = 0; key < 25_000; key++) {
            assertThat(guard.get(key) != null).isTrue();
        }
    }
}
