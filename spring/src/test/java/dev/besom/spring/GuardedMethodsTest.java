package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which methods are guarded and how, with a guard that is a bean of the application's own. */
class GuardedMethodsTest {

    private static final int KEYS = 2_000;

    private static ApplicationContextRunner runner(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BesomAutoConfiguration.class))
                .withUserConfiguration(GuardOfOnesOwn.class)
                .withUserConfiguration(beans);
    }

    @Configuration(proxyBeanMethods = false)
    static class GuardOfOnesOwn {
        @Bean
        StoreGuard<String, String> words() {
            StoreGuard<String, String> guard = Guard.over(new MemoryStore<>(), KeyHasher.utf8(0x776F7264));
            for (int i = 0; i < KEYS; i++) {
                guard.put("word" + i, "meaning");
            }
            return guard;
        }
    }

    /** Every form of a lookup that is guarded. Each finds only what begins with "word". */
    static class Lookups {

        private final AtomicInteger calls = new AtomicInteger();

        /** How many calls there were since this was called last. */
        public int takeCalls() {
            return calls.getAndSet(0);
        }

        private boolean isThere(String key) {
            calls.incrementAndGet();
            return key.startsWith("word");
        }

        @Guarded("words")
        public Optional<String> optional(String key) {
            return isThere(key) ? Optional.of(key) : Optional.empty();
        }

        @Guarded("words")
        public boolean exists(String key) {
            return isThere(key);
        }

        @Guarded("words")
        public Boolean existsAsObject(String key) {
            return isThere(key);
        }

        @Guarded("words")
        public @Nullable String orNull(String key) {
            return isThere(key) ? key : null;
        }

        @Guarded("words")
        public List<String> list(String key) {
            return isThere(key) ? List.of(key) : List.of();
        }

        @Guarded("words")
        public Collection<String> collection(String key) {
            return list(key);
        }

        @Guarded("words")
        public Set<String> set(String key) {
            return isThere(key) ? Set.of(key) : Set.of();
        }

        @Guarded("words")
        public String[] array(String key) {
            return isThere(key) ? new String[] {key} : new String[0];
        }

        @Guarded(value = "words", key = "key")
        protected @Nullable String byName(int before, String key, String after) {
            return isThere(key) ? before + key + after : null;
        }

        @Guarded("words")
        public CompletionStage<Optional<String>> stage(String key) {
            return CompletableFuture.completedFuture(optional(key));
        }

        @Guarded("words")
        public CompletableFuture<Boolean> future(String key) {
            return CompletableFuture.completedFuture(exists(key));
        }

        @Guarded("words")
        public Mono<String> mono(String key) {
            return Mono.justOrEmpty(orNull(key));
        }

        @Guarded("words")
        public Mono<Boolean> monoOfExistence(String key) {
            return Mono.just(exists(key));
        }

        @Guarded("words")
        public @Nullable String failing(String key) throws IOException {
            throw new IOException("of " + key);
        }
    }

    private static void withLookups(Consumer<Lookups> test) {
        runner(Lookups.class).run(context -> test.accept(context.getBean(Lookups.class)));
    }

    /** One form of a lookup: what it answers, as far as that is something. */
    interface Form {
        boolean isFound(Lookups lookups, String key);
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of(
                        "optional", (Form) (each, key) -> each.optional(key).isPresent()),
                Arguments.of("boolean", (Form) Lookups::exists),
                Arguments.of("Boolean", (Form) Lookups::existsAsObject),
                Arguments.of("null", (Form) (each, key) -> each.orNull(key) != null),
                Arguments.of("list", (Form) (each, key) -> !each.list(key).isEmpty()),
                Arguments.of("collection", (Form)
                        (each, key) -> !each.collection(key).isEmpty()),
                Arguments.of("set", (Form) (each, key) -> !each.set(key).isEmpty()),
                Arguments.of("array", (Form) (each, key) -> each.array(key).length > 0),
                Arguments.of("by name", (Form) (each, key) -> each.byName(1, key, "x") != null),
                Arguments.of("stage", (Form) (each, key) ->
                        each.stage(key).toCompletableFuture().join().isPresent()),
                Arguments.of("future", (Form) (each, key) -> each.future(key).join()),
                Arguments.of("mono", (Form)
                        (each, key) -> each.mono(key).blockOptional().isPresent()),
                Arguments.of("mono of existence", (Form) (each, key) ->
                        Boolean.TRUE.equals(each.monoOfExistence(key).block())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void whatIsThereIsFoundAndWhatIsNotIsHardlyEverCalled(String name, Form form) {
        withLookups(lookups -> {
            for (int i = 0; i < KEYS; i++) {
                assertThat(form.isFound(lookups, "word" + i)).isTrue();
            }
            assertThat(lookups.takeCalls()).isEqualTo(KEYS);
            for (int i = 0; i < 5_000; i++) {
                assertThat(form.isFound(lookups, "nothing" + i)).isFalse();
            }
            // 5,000 / 256 are expected.
            assertThat(lookups.takeCalls()).isBetween(3, 60);
        });
    }

    @Test
    void aFalsePositiveIsPaidForOnceAlsoBehindAMono() {
        runner(Lookups.class).run(context -> {
            Lookups lookups = context.getBean(Lookups.class);
            Guard<?, ?> guard = context.getBean("words", Guard.class);
            lookUpNothing(lookups);
            int first = lookups.takeCalls();
            // 20,000 / 256 are expected.
            assertThat(first).isBetween(30, 140);
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (repairsOf(guard) < first && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(repairsOf(guard))
                    .as("repairs, which run on another thread")
                    .isEqualTo(first);
            lookUpNothing(lookups);
            // What one repair brings to light, another one repairs.
            assertThat(lookups.takeCalls()).isLessThan(first / 3);
        });
    }

    private static void lookUpNothing(Lookups lookups) {
        for (int i = 0; i < 20_000; i++) {
            lookups.mono("nothing" + i).block();
        }
    }

    private static long repairsOf(Guard<?, ?> guard) {
        GuardStatistics now = guard.statistics();
        return now.repairs().fixed()
                + now.repairs().forgot()
                + now.repairs().inseparable()
                + now.repairs().dropped();
    }

    @Test
    void aMonoIsLookedUpAtEachSubscription() {
        runner(Lookups.class).run(context -> {
            Lookups lookups = context.getBean(Lookups.class);
            Mono<String> later = lookups.mono("word of tomorrow");
            assertThat(later.blockOptional()).isEmpty();
            @SuppressWarnings("unchecked")
            StoreGuard<String, String> guard = context.getBean("words", StoreGuard.class);
            guard.put("word of tomorrow", "meaning");
            assertThat(later.blockOptional()).hasValue("word of tomorrow");
        });
    }

    @Test
    void checkedExceptionsAndNullKeysGoThrough() {
        withLookups(lookups -> {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> lookups.failing("word1"))
                    .withMessage("of word1");
            assertThatThrownBy(() -> lookups.orNull(nothing())).isInstanceOf(NullPointerException.class);
            assertThat(lookups.takeCalls()).isEqualTo(1);
        });
    }

    @SuppressWarnings("NullAway") // what callers can do
    private static String nothing() {
        return null;
    }

    static class ReturnsVoid {
        @Guarded("words")
        public void touch(String key) {}
    }

    static class ReturnsLong {
        @Guarded("words")
        public long count(String key) {
            return 1;
        }
    }

    static class CountsInAnObject {
        @Guarded("words")
        public Long countByKey(String key) {
            return 1L;
        }
    }

    static class ReturnsFlux {
        @Guarded("words")
        public Flux<String> all(String key) {
            return Flux.empty();
        }
    }

    static class ReturnsStream {
        @Guarded("words")
        public Stream<String> all(String key) {
            return Stream.empty();
        }
    }

    static class ReturnsMap {
        @Guarded("words")
        public Map<String, String> all(String key) {
            return Map.of();
        }
    }

    static class NeverNull {
        @Guarded("words")
        public @NonNull String find(String key) {
            return key;
        }
    }

    static class TwoParameters {
        @Guarded("words")
        public boolean exists(String key, int other) {
            return true;
        }
    }

    static class NoSuchParameter {
        @Guarded(value = "words", key = "word")
        public boolean exists(String key, int other) {
            return true;
        }
    }

    static class NoParameter {
        @Guarded("words")
        public boolean exists() {
            return true;
        }
    }

    static class FinalMethod {
        @Guarded("words")
        public final boolean exists(String key) {
            return true;
        }
    }

    static class PrivateMethod {
        @Guarded("words")
        private boolean exists(String key) {
            return key.isEmpty();
        }

        public boolean call() {
            return exists("");
        }
    }

    static final class FinalClass {
        @Guarded("words")
        public boolean exists(String key) {
            return true;
        }
    }

    static class NoSuchGuard {
        @Guarded("wrods")
        public boolean exists(String key) {
            return true;
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(ReturnsVoid.class, "touch(String)", "returns void"),
                Arguments.of(ReturnsLong.class, "count(String)", "returns long"),
                Arguments.of(CountsInAnObject.class, "countByKey(String)", "null is no count"),
                Arguments.of(ReturnsFlux.class, "all(String)", "returns Flux"),
                Arguments.of(ReturnsStream.class, "all(String)", "returns Stream"),
                Arguments.of(ReturnsMap.class, "all(String)", "returns Map"),
                Arguments.of(NeverNull.class, "find(String)", "never to return null"),
                Arguments.of(TwoParameters.class, "exists(String, int)", "several parameters"),
                Arguments.of(NoSuchParameter.class, "exists(String, int)", "no parameter 'word'"),
                Arguments.of(NoParameter.class, "exists()", "no parameter"),
                Arguments.of(FinalMethod.class, "exists(String)", "no proxy"),
                Arguments.of(PrivateMethod.class, "exists(String)", "no proxy"),
                Arguments.of(FinalClass.class, "exists(String)", "no proxy"),
                Arguments.of(NoSuchGuard.class, "exists(String)", "no such guard; known: [words]"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatCannotBeGuardedIsRefusedAtTheStartByTheNameOfTheMethod(Class<?> bean, String method, String reason) {
        runner(bean).run(context -> {
            assertThat(context).hasFailed();
            var analysis = Objects.requireNonNull(
                    new GuardSetupFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getDescription())
                    .contains(bean.getSimpleName() + "." + method)
                    .contains(reason)
                    .endsWith(".");
            assertThat(analysis.getAction()).isNotBlank();
        });
    }

    @Test
    void withoutBesomMethodsAreCalled() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BesomAutoConfiguration.class))
                .withPropertyValues("besom.enabled=false")
                .withUserConfiguration(Lookups.class)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(Guards.class);
                    assertThat(context.getBean(Lookups.class).exists("nothing")).isFalse();
                    assertThat(context.getBean(Lookups.class).takeCalls()).isEqualTo(1);
                });
    }
}
