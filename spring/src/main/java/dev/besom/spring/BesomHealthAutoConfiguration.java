package dev.besom.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The state of guards among the application's health. */
@AutoConfiguration(after = BesomAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Guards.class)
@ConditionalOnEnabledHealthIndicator("besom")
class BesomHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "besomHealthIndicator")
    HealthIndicator besomHealthIndicator(Guards guards) {
        return new GuardsHealthIndicator(guards);
    }
}
