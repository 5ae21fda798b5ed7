package dev.besom.filters;

import dev.besom.bloom.BloomKinds;
import dev.besom.bloomier.BloomierKinds;
import dev.besom.broom.BroomKinds;
import dev.besom.cascade.CascadeKinds;
import dev.besom.compact.CompactKinds;
import dev.besom.cuckoo.CuckooKinds;
import dev.besom.daisy.DaisyKinds;
import dev.besom.fuse.FuseKinds;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.Kind;
import dev.besom.spi.KindProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every kind by its name: Besom's own, and those that {@link KindProvider}s of other jars bring. Own families are described one after
 * the other, until the one that has the name.
 *
 * <p>A provider that fails, or whose kind has a name that is taken, makes the registry fail, each time it is used, with an
 * {@link IllegalStateException} that names the provider. A kind that is silently missing would show only when a file of it
 * cannot be read.
 */
final class KindRegistry {

    private static final String BESOM = "Besom";

    /** Besom's own kinds, family by family, in the order in which they are listed. */
    private static final List<Supplier<List<Kind>>> FAMILIES = List.of(
            BloomKinds::all,
            QuotientKinds::all,
            BroomKinds::all,
            CascadeKinds::all,
            CompactKinds::all,
            CuckooKinds::all,
            DaisyKinds::all,
            FuseKinds::all,
            BloomierKinds::all);

    private static volatile @Nullable KindRegistry loaded;

    private final List<Supplier<List<Kind>>> families;
    private final Map<String, Kind> byName = new LinkedHashMap<>();
    private final Map<String, String> sources = new LinkedHashMap<>();

    /** How many families are in the maps. To describe all takes a tenth of a second of a young process. */
    private int described;

    private KindRegistry(List<Supplier<List<Kind>>> families) {
        this.families = families;
    }

    /** The registry of this process. What other jars bring is looked up at the first use. */
    static KindRegistry get() {
        KindRegistry registry = loaded;
        return registry == null ? load() : registry;
    }

    private static synchronized KindRegistry load() {
        KindRegistry registry = loaded;
        if (registry == null) {
            registry = of(FAMILIES, ServiceLoader.load(KindProvider.class, KindProvider.class.getClassLoader()));
            loaded = registry;
        }
        return registry;
    }

    /** A registry of families and of the kinds of the providers. */
    static KindRegistry of(List<Supplier<List<Kind>>> families, Iterable<KindProvider> providers) {
        KindRegistry registry = new KindRegistry(families);
        try {
            providers.forEach(registry::addAll);
        } catch (ServiceConfigurationError e) {
            // The message names the provider; the cause says what is wrong with it.
            throw new IllegalStateException(
                    "a provider of kinds cannot be loaded: " + e.getMessage()
                            + (e.getCause() == null ? "" : ": " + e.getCause()),
                    e);
        }
        return registry;
    }

    private void addAll(KindProvider provider) {
        // No name of a family may be taken.
        describeAll();
        String source = provider.getClass().getName();
        List<Kind> kinds;
        try {
            kinds = List.copyOf(provider.kinds());
        } catch (RuntimeException | LinkageError e) {
            throw new IllegalStateException("the provider of kinds " + source + " fails: " + e, e);
        }
        kinds.forEach(kind -> add(kind, source));
    }

    private void describeAll() {
        while (described < families.size()) {
            describeNext();
        }
    }

    private void describeNext() {
        families.get(described).get().forEach(kind -> add(kind, BESOM));
        described++;
    }

    private void add(Kind kind, String source) {
        if (byName.putIfAbsent(kind.name(), kind) != null) {
            throw new IllegalStateException("the kind '" + kind.name() + "' of " + source
                    + " has the name of another one, which is from " + sources.get(kind.name()));
        }
        sources.put(kind.name(), source);
    }

    synchronized List<Kind> all() {
        describeAll();
        return List.copyOf(byName.values());
    }

    synchronized Optional<Kind> find(String name) {
        while (!byName.containsKey(name) && described < families.size()) {
            describeNext();
        }
        return Optional.ofNullable(byName.get(name));
    }

    Kind named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("unknown kind '" + name + "'; known: "
                        + all().stream().map(Kind::name).collect(Collectors.joining(", "))));
    }
}
