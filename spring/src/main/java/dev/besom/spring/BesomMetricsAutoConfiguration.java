package dev.besom.spring;

import dev.besom.micrometer.GuardMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The statistics of guards among the application's meters. */
@AutoConfiguration(after = BesomAutoConfiguration.class)
@ConditionalOnClass({MeterRegistry.class, GuardMetrics.class})
@ConditionalOnBean(Guards.class)
class BesomMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "besomMeters")
    MeterBinder besomMeters(Guards guards) {
        return registry -> guards.names()
                .forEach(name -> new GuardMetrics(guards.guard(name), name, Tags.empty()).bindTo(registry));
    }
}
