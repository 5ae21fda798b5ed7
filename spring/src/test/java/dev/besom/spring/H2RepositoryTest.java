package dev.besom.spring;

import java.util.Map;

class H2RepositoryTest extends GuardedRepositoryPromises {

    @Override
    Map<String, String> database() {
        return Map.of("spring.datasource.url", "jdbc:h2:mem:guarded-repository;DB_CLOSE_DELAY=-1");
    }
}
