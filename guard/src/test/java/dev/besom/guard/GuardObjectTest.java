package dev.besom.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.store.AsyncLoader;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.RejectedException;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Duel;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers expect of a guard as of a map. */
class GuardObjectTest {

    private static final KeyHasher<Integer> SEEDED = KeyHasher.ints(0x6F626A);

    private final FailingStore<Integer, String> store = new FailingStore<>();

    @Test
    void putIfAbsentStoresOnceAndReadsTheStoreForMaybesOnly() {
        int[] reads = {0};
        store.beforeRead = () -> reads[0]++;
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            for (int key = 0; key < 1_000; key++) {
                assertThat(guard.putIfAbsent(key, "first " + key)).isNull();
            }
            assertThat(reads[0]).isLessThan(20);
            for (int key = 0; key < 1_000; key++) {
                assertThat(guard.putIfAbsent(key, "second")).isEqualTo("first " + key);
                assertThat(guard.get(key)).isEqualTo("first " + key);
            }
            assertThat(guard.count()).isEqualTo(1_000);
        }
    }

    @Test
    void oneOfTwoCallersPutsIfAbsent() throws Exception {
        try (StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<>(), KeyHasher.longs(3))) {
            assertThat(Duel.roundsWithOneWinner(2_000, n -> guard.putIfAbsent(n, n) == null))
                    .isEqualTo(2_000);
        }
    }

    @Test
    void putIfAbsentAfterAPutThatFailedLeavesNoDoubt(@TempDir Path folder) throws IOException {
        StoreGuard<Integer, String> guard = Guard.over(store, SEEDED);
        store.writes = Failure.AFTER;
        assertThatThrownBy(() -> guard.put(1, "arrived")).isInstanceOf(Outage.class);
        store.writes = Failure.BEFORE;
        assertThatThrownBy(() -> guard.putIfAbsent(2, "lost")).isInstanceOf(Outage.class);
        store.writes = Failure.NEVER;
        assertThat(guard.putIfAbsent(1, "again")).isEqualTo("arrived");
        assertThat(guard.putIfAbsent(2, "again")).isNull();
        assertThat(guard.count()).isEqualTo(2);
        assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
    }

    @Test
    void putAllIsAsThoughPutOneByOne() {
        SplittableRandom random = new SplittableRandom(4);
        Map<Integer, String> model = new HashMap<>();
        for (String kind : List.of("telescoping", "broom")) {
            store.clear();
            model.clear();
            StoreGuard<Integer, String> guard = Guard.builder(store, SEEDED)
                    .kind(kind)
                    .shards(2)
                    .capacity(64)
                    .open();
            for (int round = 0; round < 30; round++) {
                Map<Integer, String> batch = new LinkedHashMap<>();
                for (int i = random.nextInt(1_500); i > 0; i--) {
                    batch.put(random.nextInt(4_000), kind + round);
                }
                guard.putAll(batch);
                model.putAll(batch);
                for (int i = 0; i < 50; i++) {
                    int key = random.nextInt(4_000);
                    assertThat(guard.remove(key)).isEqualTo(model.remove(key) != null);
                }
                assertThat(guard.count()).as("slots").isEqualTo(model.size());
                assertThat(guard.getAll(model.keySet())).isEqualTo(model);
            }
            guard.close();
        }
    }

    @Test
    void arraysWithTheSameContentsAreOneKey() {
        MemoryStore<String, String> texts = new MemoryStore<>();
        ForwardingStore<byte[], String> arrays = new ForwardingStore<>(new MemoryStore<>()) {
            @Override
            public void putAll(List<byte[]> keys, long[] hashesOfKeys, List<String> values) {
                for (int i = 0; i < keys.size(); i++) {
                    assertThat(texts.put(new String(keys.get(i), UTF_8), hashesOfKeys[i], values.get(i)))
                            .as("a key twice in a batch")
                            .isTrue();
                }
            }
        };
        IdentityHashMap<byte[], String> batch = new IdentityHashMap<>();
        batch.put(new byte[] {65}, "same");
        batch.put(new byte[] {66}, "other");
        batch.put(new byte[] {65}, "same");
        try (StoreGuard<byte[], String> guard = Guard.over(arrays, KeyHasher.bytes(1))) {
            guard.putAll(batch);
            assertThat(guard.count()).isEqualTo(2);
            assertThat(texts.get("A")).isEqualTo("same");
        }
    }

    @Test
    void lookupsBesideBatchesFindWhatIsAcknowledged() throws Exception {
        try (StoreGuard<Integer, String> guard =
                Guard.builder(store, SEEDED).shards(2).capacity(64).open()) {
            AtomicInteger acknowledged = new AtomicInteger();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (int batch = 0; batch < 200; batch++) {
                    Map<Integer, String> values = new HashMap<>();
                    for (int key = 0; key < 50; key++) {
                        values.put(batch * 50 + key, "value");
                        // Churn in the same shards.
                        values.put(-1 - key, "batch " + batch);
                    }
                    guard.putAll(values);
                    acknowledged.set((batch + 1) * 50);
                    guard.remove(-1 - batch % 50);
                }
            });
            SplittableRandom random = new SplittableRandom(5);
            do {
                int count = acknowledged.get();
                for (int i = 0; i < 100 && count > 0; i++) {
                    assertThat(guard.get(random.nextInt(count))).isEqualTo("value");
                }
                guard.get(1_000_000 + random.nextInt(1_000_000));
            } while (!writer.isDone());
            writer.get();
            assertThat(guard.getAll(IntStream.range(0, 10_000).boxed().toList()))
                    .hasSize(10_000);
        }
    }

    @Test
    void putAllThatFailsAnywhereHidesNothing() {
        Map<Integer, String> batch = new LinkedHashMap<>();
        IntStream.range(0, 300).forEach(key -> batch.put(key, "value " + key));
        for (int failing = 0; failing < 300; failing += 7) {
            FailingPuts flaky = new FailingPuts(failing, new Outage());
            StoreGuard<Integer, String> guard =
                    Guard.builder(flaky, SEEDED).shards(2).capacity(64).open();
            assertThatThrownBy(() -> guard.putAll(batch)).isInstanceOf(Outage.class);
            List<Integer> sent = List.copyOf(flaky.sent);
            assertThat(sent).hasSizeGreaterThanOrEqualTo(failing);
            // What is on its way arrives.
            batch.forEach((key, value) -> flaky.inner.put(key, SEEDED.hash(key), value));
            flaky.left = Integer.MAX_VALUE;
            for (int key = 1_000; key < 1_400; key++) {
                guard.put(key, "more");
            }
            for (int key : sent) {
                assertThat(guard.get(key))
                        .as("key %d, failing at %d", key, failing)
                        .isEqualTo("value " + key);
            }
        }
    }

    @Test
    void aBatchThatIsRefusedLeavesNothingBehind(@TempDir Path folder) throws IOException {
        FailingPuts strict = new FailingPuts(0, new RejectedException("too long", new IOException("too long")));
        try (StoreGuard<Integer, String> guard = Guard.over(strict, SEEDED)) {
            assertThatThrownBy(() -> guard.putAll(Map.of(1, "too long"))).isInstanceOf(RejectedException.class);
            assertThat(guard.count()).isEqualTo(0);
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
        }
    }

    @Test
    void aPutThatIsRefusedLeavesAnEarlierOneInDoubt() {
        FailingPuts strict = new FailingPuts(0, new Outage());
        StoreGuard<Integer, String> guard =
                Guard.builder(strict, SEEDED).shards(2).capacity(64).open();
        assertThatThrownBy(() -> guard.put(1, "late")).isInstanceOf(Outage.class);
        strict.failure = new RejectedException("too long", new IOException("too long"));
        strict.isReplaceFailing = true;
        assertThatThrownBy(() -> guard.put(1, "too long")).isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> guard.putAll(Map.of(1, "too long"))).isInstanceOf(RejectedException.class);
        strict.inner.put(1, SEEDED.hash(1), "late");
        assertThat(guard.get(1)).isEqualTo("late");
    }

    /** A store that fails when so many puts have been made. */
    private static final class FailingPuts extends ForwardingStore<Integer, String> {
        final MemoryStore<Integer, String> inner;
        final List<Integer> sent = new ArrayList<>();
        int left;
        RuntimeException failure;
        boolean isReplaceFailing;

        FailingPuts(int left, RuntimeException failure) {
            this(new MemoryStore<>(), left, failure);
        }

        private FailingPuts(MemoryStore<Integer, String> inner, int left, RuntimeException failure) {
            super(inner);
            this.inner = inner;
            this.left = left;
            this.failure = failure;
        }

        @Override
        public boolean put(Integer key, long hash, String value) {
            sent.add(key);
            if (left-- <= 0) {
                throw failure;
            }
            return super.put(key, hash, value);
        }

        @Override
        public boolean replace(Integer key, long hash, String value) {
            if (isReplaceFailing) {
                throw failure;
            }
            return super.replace(key, hash, value);
        }
    }

    @Test
    void containsAllAnswersForEveryKeyInOneRead() {
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            guard.putAll(Map.of(1, "one", 3, "three"));
            assertThat(guard.containsAll(List.of(4, 3, 2, 1)))
                    .containsExactly(Map.entry(4, false), Map.entry(3, true), Map.entry(2, false), Map.entry(1, true));
            assertThat(guard.containsAll(List.of())).isEmpty();
            assertThat(guard.statistics().lookups().total()).isEqualTo(4);
            assertThat(guard.statistics().lookups().found()).isEqualTo(2);
        }
    }

    @Test
    void aBulkLookupReadsTheStoreOnce() {
        List<Integer> batches = new ArrayList<>();
        MemoryStore<Integer, String> inner = new MemoryStore<>();
        ForwardingStore<Integer, String> counted = new ForwardingStore<>(inner) {
            @Override
            public @Nullable String get(Integer key) {
                throw new AssertionError("a single read");
            }

            @Override
            public List<@Nullable String> getAll(List<? extends Integer> keys) {
                batches.add(keys.size());
                return inner.getAll(keys);
            }
        };
        try (StoreGuard<Integer, String> guard = Guard.over(counted, SEEDED)) {
            Map<Integer, String> values = new HashMap<>();
            IntStream.range(0, 5_000).forEach(key -> values.put(key, "value"));
            guard.putAll(values);
            assertThat(guard.getAll(IntStream.range(0, 10_000).boxed().toList()))
                    .isEqualTo(values);
            assertThat(batches).hasSize(1);
            assertThat(batches.get(0)).isBetween(5_000, 5_060);
        }
    }

    @Test
    void everyMethodCanBeCalledByReflectionAndThroughAProxy() throws Exception {
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            List<String> called = new ArrayList<>();
            @SuppressWarnings("unchecked")
            StoreGuard<Integer, String> proxy = (StoreGuard<Integer, String>) Proxy.newProxyInstance(
                    StoreGuard.class.getClassLoader(), new Class<?>[] {StoreGuard.class}, (self, method, arguments) -> {
                        called.add(method.getName());
                        return method.invoke(guard, arguments);
                    });
            assertThat(proxy.put(1, "one")).isTrue();
            assertThat(proxy.get(1)).isEqualTo("one");
            assertThat(proxy.async(Runnable::run).get(1).toCompletableFuture().get())
                    .isEqualTo("one");
            assertThat(called).containsExactly("put", "get", "async");
            for (Class<?> type : List.of(StoreGuard.class, LoaderGuard.class, Guard.class)) {
                assertThat(Guard.class).isAssignableFrom(type);
            }
            for (Method method : StoreGuard.class.getMethods()) {
                if (method.getParameterCount() == 0 && !method.getName().equals("close")) {
                    assertThat(method.invoke(guard)).as(method.getName()).isNotNull();
                }
            }
        }
    }

    @Test
    void aDecoratorChangesWhatItWantsAndPassesOnTheRest() {
        StoreGuard<Integer, String> inner = Guard.over(store, SEEDED);
        List<Integer> asked = new ArrayList<>();
        try (StoreGuard<Integer, String> decorated = new ForwardingStoreGuard<>() {
            @Override
            protected StoreGuard<Integer, String> delegate() {
                return inner;
            }

            @Override
            public @Nullable String get(Integer key) {
                asked.add(key);
                return super.get(key);
            }
        }) {
            assertThat(decorated.putIfAbsent(1, "one")).isNull();
            decorated.putAll(Map.of(2, "two"));
            assertThat(decorated.get(1)).isEqualTo("one");
            assertThat(decorated.containsAll(List.of(2))).containsEntry(2, true);
            try (Announcement announced = decorated.announce(3)) {
                announced.settle();
            }
            assertThat(decorated.remove(2)).isTrue();
            assertThat(decorated.count()).isEqualTo(inner.count()).isEqualTo(1);
        }
        assertThat(asked).containsExactly(1);
        assertThatIllegalStateException().isThrownBy(() -> inner.get(1));
    }

    @Test
    void aLoaderGuardWritesIfAbsent(@TempDir Path folder) throws IOException {
        Map<Integer, String> remote = new HashMap<>();
        try (LoaderGuard<Integer, String> guard = Guard.over(remote::get, LocalKeys.open(folder, SEEDED))) {
            assertThat(guard.putIfAbsent(1, () -> remote.put(1, "one"))).isTrue();
            assertThat(guard.putIfAbsent(1, () -> remote.put(1, "two"))).isFalse();
            assertThat(guard.get(1)).isEqualTo("one");
            guard.add(2);
            remote.put(2, "somebody else's");
            assertThat(guard.putIfAbsent(2, () -> remote.put(2, "ours"))).isFalse();
            assertThat(guard.containsAll(List.of(1, 2, 3))).containsValues(true, false);
        }
    }

    /** A loader whose reads end when somebody says so. */
    private static final class SlowLoader implements AsyncLoader<Integer, String> {
        final Map<Integer, String> values = new ConcurrentHashMap<>();
        final Queue<Runnable> reads = new ArrayDeque<>();

        @Override
        public @Nullable String get(Integer key) {
            return values.get(key);
        }

        @Override
        public CompletionStage<@Nullable String> getAsync(Integer key) {
            CompletableFuture<@Nullable String> read = new CompletableFuture<>();
            reads.add(() -> {
                if (key < 0) {
                    read.completeExceptionally(new Outage());
                } else {
                    read.complete(values.get(key));
                }
            });
            return read;
        }

        void endAll() {
            while (!reads.isEmpty()) {
                reads.remove().run();
            }
        }
    }

    @Test
    void asynchronousLookupsUseTheLoadersOwnReads(@TempDir Path folder) throws Exception {
        SlowLoader loader = new SlowLoader();
        LoaderGuard<Integer, String> guard = Guard.over(loader, LocalKeys.open(folder, SEEDED));
        for (int key = -10; key < 1_000; key++) {
            int stored = key;
            guard.put(key, () -> loader.values.put(stored, "value " + stored));
        }
        AsyncGuard<Integer, String> async = guard.async(Runnable::run);
        CompletionStage<Map<Integer, String>> all =
                async.getAll(IntStream.range(0, 5_000).boxed().toList());
        assertThat(all.toCompletableFuture()).isNotDone();
        loader.endAll();
        assertThat(all.toCompletableFuture().get()).hasSize(1_000).containsEntry(999, "value 999");
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.lookups().total()).isEqualTo(5_000);
        assertThat(statistics.repairs().fixed() + statistics.repairs().forgot())
                .isEqualTo(statistics.lookups().falsePositives());
        assertThat(async.get(2_000).toCompletableFuture())
                .as("repaired, or never wrong")
                .isCompletedWithValue(null);

        CompletionStage<@Nullable String> found = async.get(5);
        CompletionStage<Boolean> contained = async.containsKey(6);
        CompletionStage<@Nullable String> failed = async.get(-3);
        loader.endAll();
        assertThat(found.toCompletableFuture().get()).isEqualTo("value 5");
        assertThat(contained.toCompletableFuture().get()).isTrue();
        assertThatThrownBy(() -> failed.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(Outage.class);
        assertThat(guard.statistics().lookups().failed()).isEqualTo(1);

        CompletionStage<@Nullable String> last = async.get(7);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(guard::close);
        while (isOpen(guard)) {
            Thread.onSpinWait();
        }
        assertThat(closing).isNotDone();
        loader.endAll();
        closing.get();
        assertThat(last.toCompletableFuture().get()).isEqualTo("value 7");
        assertThatIllegalStateException().isThrownBy(() -> async.get(7));
    }

    private static boolean isOpen(Guard<Integer, ?> guard) {
        try {
            guard.get(2);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void asynchronousLookupsOfAStoreThatIsWaitedForRunOnTheExecutor() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            guard.put(1, "one");
            AsyncGuard<Integer, String> async = guard.async(tasks::add);
            CompletionStage<@Nullable String> found = async.get(1);
            CompletionStage<Map<Integer, String>> all = async.getAll(List.of(1, 2));
            assertThat(found.toCompletableFuture()).isNotDone();
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
            assertThat(found.toCompletableFuture().get()).isEqualTo("one");
            assertThat(all.toCompletableFuture().get()).containsExactly(Map.entry(1, "one"));
            assertThat(guard.async(Runnable::run).get(77).toCompletableFuture().get())
                    .isNull();
        }
    }
}
