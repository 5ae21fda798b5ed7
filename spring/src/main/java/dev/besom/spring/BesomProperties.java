package dev.besom.spring;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Besom's properties.
 *
 * @param enabled Whether there are guards at all. Without them guarded methods are called as if they had no annotation.
 * @param guards The guards over tables, by their names.
 */
@ConfigurationProperties(prefix = "besom", ignoreUnknownFields = false)
public record BesomProperties(
        @DefaultValue("true") boolean enabled, @DefaultValue Map<String, GuardProperties> guards) {

    static String property(String guard, String name) {
        return "besom.guards." + guard + "." + name;
    }
}
