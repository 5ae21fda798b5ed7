package dev.besom.spi;

import java.util.List;

/**
 * Brings kinds of filters from another jar. Besom finds providers by {@link java.util.ServiceLoader}: name the class in
 * {@code META-INF/services/dev.besom.spi.KindProvider} and, in a named module, in {@code provides}. From then on files, the
 * command line, races and the testkit's contracts know the kinds like Besom's own.
 */
public interface KindProvider {

    /** The kinds, each with a name that no other kind has. */
    List<Kind> kinds();
}
