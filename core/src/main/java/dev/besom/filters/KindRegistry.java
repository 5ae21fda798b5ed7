package dev.besom.filters;

import dev.besom.bloom.BloomKinds;
import dev.besom.broom.BroomKinds;
import dev.besom.cascade.CascadeKinds;
import dev.besom.compact.CompactKinds;
import dev.besom.cuckoo.CuckooKinds;
import dev.besom.daisy.DaisyKinds;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.Kind;
import dev.besom.spi.KindProvider;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Every kind by its name: Besom's own, and those that {@link KindProvider}s of other jars bring. */
final class KindRegistry {

    private static final Map<String, Kind> BY_NAME = load();

    private KindRegistry() {}

    private static Map<String, Kind> load() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        Stream.of(
                        BloomKinds.all(),
                        QuotientKinds.all(),
                        BroomKinds.all(),
                        CascadeKinds.all(),
                        CompactKinds.all(),
                        CuckooKinds.all(),
                        DaisyKinds.all())
                .flatMap(List::stream)
                .forEach(kind -> add(kinds, kind, "Besom"));
        for (KindProvider provider : ServiceLoader.load(KindProvider.class, KindProvider.class.getClassLoader())) {
            for (Kind kind : provider.kinds()) {
                add(kinds, kind, provider.getClass().getName());
            }
        }
        return Collections.unmodifiableMap(kinds);
    }

    private static void add(Map<String, Kind> kinds, Kind kind, String source) {
        Kind other = kinds.putIfAbsent(kind.name(), kind);
        if (other != null) {
            throw new IllegalStateException("kind '" + kind.name() + "' of " + source
                    + " has the name of another one, a " + other.type().getName());
        }
    }

    static List<Kind> all() {
        return List.copyOf(BY_NAME.values());
    }

    static Optional<Kind> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    static Kind named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown kind '" + name + "'; known: " + String.join(", ", BY_NAME.keySet())));
    }
}
