package dev.besom.spring.app;

import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;

/** The application. */
@SpringBootApplication
public class Application {

    @Bean
    Reads reads() {
        return new Reads();
    }

    @Bean
    HibernatePropertiesCustomizer countsReads(Reads reads) {
        return (Map<String, Object> properties) ->
                properties.put("hibernate.session_factory.statement_inspector", reads);
    }
}
