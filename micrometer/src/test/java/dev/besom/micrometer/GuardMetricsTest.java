package dev.besom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardMetricsTest {

    @Test
    void metersSayWhatTheGuardCounted() {
        StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<>(), KeyHasher.longs(3));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new GuardMetrics(guard, "test", List.of()).bindTo(registry);
        for (long key = 0; key < 1_000; key++) {
            guard.put(key, key);
        }
        for (long key = 0; key < 20_000; key++) {
            guard.get(key);
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.lookups().falsePositives()).isPositive();
        assertThat(count(registry, "lookups", "result", "found")).isEqualTo(1_000);
        assertThat(count(registry, "lookups", "result", "filtered"))
                .isEqualTo(statistics.lookups().answeredByFilter());
        assertThat(count(registry, "lookups", "result", "falsePositive"))
                .isEqualTo(statistics.lookups().falsePositives());
        assertThat(count(registry, "lookups", "result", "failed")).isZero();
        assertThat(count(registry, "repairs", "outcome", "fixed"))
                .isEqualTo(statistics.repairs().fixed());
        assertThat(count(registry, "store.reads", "guard", "test"))
                .isEqualTo(statistics.reads().byLookups());
        assertThat(registry.get("besom.guard.fpp").gauge().value()).isEqualTo(statistics.observedFpp());
        assertThat(registry.get("besom.guard.keys").tag("guard", "test").gauge().value())
                .isEqualTo(1_000);
        assertThat(latency(registry, "store", "0.99")).isBetween(1e-9, 10.0);
        assertThat(latency(registry, "filter", "0.5")).isBetween(1e-9, 10.0);
        guard.resetStatistics();
        assertThat(latency(registry, "store", "0.99")).isZero();
        assertThat(count(registry, "store.reads", "guard", "test")).isZero();
    }

    private static double latency(SimpleMeterRegistry registry, String path, String phi) {
        return registry.get("besom.guard.latency")
                .tag("path", path)
                .tag("phi", phi)
                .gauge()
                .value();
    }

    private static long count(SimpleMeterRegistry registry, String name, String tag, String value) {
        return (long) registry.get("besom.guard." + name)
                .tag(tag, value)
                .functionCounter()
                .count();
    }
}
