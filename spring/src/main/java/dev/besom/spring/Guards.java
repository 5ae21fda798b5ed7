package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The guards of an application: those of the properties, and the beans of type {@link Guard} by their names. Closing it
 * closes those of the properties.
 */
public final class Guards implements AutoCloseable {

    private final Map<String, OpenTableGuard<?>> tables = new LinkedHashMap<>();
    private final Map<String, Guard<?, ?>> beans;
    private volatile boolean isClosed;

    /**
     * Opens all guards of the properties, or none if one of them fails.
     *
     * @param beans the other ones
     */
    Guards(Map<String, GuardProperties> properties, GuardOpener opener, Map<String, Guard<?, ?>> beans) {
        this.beans = beans;
        try {
            properties.forEach((name, each) -> {
                if (beans.containsKey(name)) {
                    throw new GuardSetupException(
                            "besom.guards." + name + ": there is a bean of that name, which is a guard too.",
                            "Rename one of them.");
                }
                tables.put(name, opener.open(name, each));
            });
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** All names. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>(tables.keySet());
        names.addAll(beans.keySet());
        return names;
    }

    /**
     * A guard.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public Guard<?, ?> guard(String name) {
        OpenTableGuard<?> table = tables.get(name);
        Guard<?, ?> found = table != null ? table.guard() : beans.get(name);
        if (found == null) {
            throw unknown(name);
        }
        return found;
    }

    /**
     * A guard over a table.
     *
     * @param keys what its keys are in Java: {@code String}, {@code Long} or {@code UUID}
     * @throws IllegalArgumentException if there is none of that name, or its keys are others
     */
    @SuppressWarnings("unchecked") // the type of the keys is compared
    public <K> TableGuard<K> table(String name, Class<K> keys) {
        OpenTableGuard<?> table = tables.get(name);
        if (table == null) {
            throw unknown(name);
        }
        if (table.form().javaType() != keys) {
            throw new IllegalArgumentException("the keys of the guard '" + name + "' are of "
                    + table.form().javaType().getName() + ", not of " + keys.getName());
        }
        return (TableGuard<K>) table;
    }

    private IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("there is no guard '" + name + "'; known: " + names());
    }

    /** The guards over tables. */
    Collection<OpenTableGuard<?>> tables() {
        return tables.values();
    }

    /** The guard over a table; null if that name is another's. */
    @Nullable
    OpenTableGuard<?> tableOrNull(String name) {
        return tables.get(name);
    }

    /** Whether methods are called without a guard, as the application ends. */
    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
        Deque<OpenTableGuard<?>> open = new ArrayDeque<>(tables.values());
        while (!open.isEmpty()) {
            open.removeLast().close();
        }
    }
}
