package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Guards of the properties, and proxies before the methods that they guard. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "besom.enabled", matchIfMissing = true)
@EnableConfigurationProperties(BesomProperties.class)
class BesomAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    Guards besomGuards(BesomProperties properties, ListableBeanFactory beans) {
        Map<String, Guard<?, ?>> others = new LinkedHashMap<>();
        beans.getBeansOfType(Guard.class).forEach(others::put);
        return new Guards(properties.guards(), new GuardOpener(beans), others);
    }

    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static GuardedBeans besomGuardedBeans(ObjectProvider<Guards> guards) {
        return new GuardedBeans(guards::getObject);
    }
}
