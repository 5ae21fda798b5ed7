package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.peer.Peer;
import dev.besom.lab.peer.Peers;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * The contenders by name: a kind, a kind with options of its own ({@code broom:moves=0}, several joined by {@code +}), another
 * library's filter, or a limit.
 */
public final class Contenders {

    /** Before the names of other libraries' filters. */
    public static final String PEER_PREFIX = "peer:";

    /** The name of {@link MemoryLimit}. */
    public static final String MEMORY_LIMIT = "limit:memory";

    private Contenders() {}

    /** Between the name of a kind and options of its own. */
    private static final char OPTIONS = ':';

    /**
     * The contender of that name.
     *
     * @param limitBits the memory that {@code limit:memory} takes its answers from
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Contender find(String name, long limitBits) {
        if (name.equals(MEMORY_LIMIT)) {
            return (spec, stored, keys) -> new MemoryLimit(limitBits, keys.length);
        }
        if (name.startsWith(PEER_PREFIX)) {
            Peer peer = Peers.find(name.substring(PEER_PREFIX.length()));
            return (spec, stored, keys) -> peer.fill(spec, keys);
        }
        Kind kind = kind(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown kind '" + name + "'; known: " + String.join(", ", names())));
        Map<String, String> options = options(name);
        checkOptions(kind, options);
        return kind.isBuiltAtOnce()
                ? new Static((spec, stored, hashes) -> kind.build(with(options, spec), HashSource.of(hashes), stored))
                : new Insertable((spec, stored) -> kind.make(with(options, spec), stored));
    }

    private static void checkOptions(Kind kind, Map<String, String> options) {
        for (String option : options.keySet()) {
            if (!kind.options().containsKey(option)) {
                throw new IllegalArgumentException("kind " + kind.name() + " has no option '" + option + "'");
            }
        }
    }

    private static FilterSpec with(Map<String, String> options, FilterSpec spec) {
        FilterSpec changed = spec;
        for (Map.Entry<String, String> option : options.entrySet()) {
            changed = changed.with(option.getKey(), option.getValue());
        }
        return changed;
    }

    /** The kind of a contender, if it is one. */
    static Optional<Kind> kind(String name) {
        int end = name.indexOf(OPTIONS);
        String kindName = end < 0 ? name : name.substring(0, end);
        return Filters.kinds().stream()
                .filter(kind -> kind.name().equals(kindName))
                .findFirst();
    }

    /** The options in the name of a kind. */
    private static Map<String, String> options(String name) {
        Map<String, String> options = new TreeMap<>();
        int end = name.indexOf(OPTIONS);
        if (end >= 0) {
            for (String option : name.substring(end + 1).split("\\+", -1)) {
                int equals = option.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("'" + option + "' in '" + name + "' is not option=value");
                }
                options.put(option.substring(0, equals), option.substring(equals + 1));
            }
        }
        return options;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        Filters.kinds().forEach(kind -> names.add(kind.name()));
        Peers.names().forEach(peer -> names.add(PEER_PREFIX + peer));
        names.add(MEMORY_LIMIT);
        return names;
    }

    /** The contender of that name, which must be a kind that takes a distribution. */
    static Contender knowing(String name, Distribution distribution) {
        Kind kind = kind(name).orElseThrow();
        Map<String, String> options = options(name);
        return new Insertable((spec, stored) -> Filters.makeHashFilter(kind, with(options, spec), distribution));
    }

    /** A kind that takes hashes one by one. */
    private record Insertable(BiFunction<FilterSpec, StoredHashes, MembershipFilter> maker) implements Contender {

        @Override
        public MembershipFilter fill(FilterSpec spec, StoredHashes stored, long[] numbers) {
            InsertableFilter filter = empty(spec, stored);
            filter.insertHashes(numbers, 0, numbers.length);
            return filter;
        }

        @Override
        public boolean takesHashes() {
            return true;
        }

        @Override
        public boolean isInsertable() {
            return true;
        }

        @Override
        public InsertableFilter empty(FilterSpec spec, StoredHashes stored) {
            return (InsertableFilter) maker.apply(spec, stored);
        }
    }

    /** A kind that is built from all its hashes. */
    private record Static(Contender builder) implements Contender {

        @Override
        public MembershipFilter fill(FilterSpec spec, StoredHashes stored, long[] numbers) {
            return builder.fill(spec, stored, numbers);
        }

        @Override
        public boolean takesHashes() {
            return true;
        }
    }
}
