/** Guards in a Spring Boot application. */
module dev.besom.spring {
    requires static transitive org.jspecify;
    requires transitive dev.besom.guard;
    requires java.sql;
    requires org.apache.commons.logging;
    requires spring.aop;
    requires spring.beans;
    requires spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.context;
    requires spring.core;
    requires spring.jdbc;
    requires spring.tx;
    requires static dev.besom.micrometer;
    requires static micrometer.core;
    requires static reactor.core;
    requires static spring.boot.health;
    requires static spring.boot.sql;

    exports dev.besom.spring;

    // Spring makes the beans.
    opens dev.besom.spring;
}
