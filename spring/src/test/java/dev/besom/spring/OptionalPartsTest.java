package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** An application has a guard also without meters, health and Reactor. */
class OptionalPartsTest {

    public static class Lookups {
        @Guarded("words")
        public boolean exists(String key) {
            return true;
        }
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BesomAutoConfiguration.class,
                    BesomHealthAutoConfiguration.class,
                    BesomMetricsAutoConfiguration.class))
            .withBean("words", Guard.class, () -> Guard.over(new MemoryStore<String, String>(), KeyHasher.utf8(7)))
            .withUserConfiguration(Lookups.class);

    @Test
    void whatIsThereIsBound() {
        runner.run(
                context -> assertThat(context).hasSingleBean(MeterBinder.class).hasSingleBean(HealthIndicator.class));
    }

    @Test
    void whatIsNotThereIsLeftOut() {
        runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class, HealthIndicator.class, Mono.class))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .doesNotHaveBean("besomMeters")
                            .doesNotHaveBean("besomHealthIndicator");
                    assertThat(context.getBean(Lookups.class).exists("broom")).isFalse();
                });
    }

    @Test
    void healthCanBeTurnedOff() {
        runner.withPropertyValues("management.health.besom.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
