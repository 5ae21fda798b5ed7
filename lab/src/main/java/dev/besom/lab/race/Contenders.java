package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.peer.KnownMisses;
import dev.besom.lab.peer.Peer;
import dev.besom.lab.peer.Peers;
import dev.besom.lab.peer.RivalPlan;
import dev.besom.lab.peer.Rivals;
import dev.besom.lab.peer.TextPeers;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The contenders by name: a kind, a kind with options of its own ({@code broom:moves=0}, several joined by {@code +}), another
 * library's filter, a rival, with options of its own too, or a limit.
 */
public final class Contenders {

    /** Before the names of other libraries' filters. */
    public static final String PEER_PREFIX = "peer:";

    /** Before the names of rivals, which take the memory of the first contender. */
    public static final String RIVAL_PREFIX = "rival:";

    /** The name of {@link MemoryLimit}. */
    public static final String MEMORY_LIMIT = "limit:memory";

    private Contenders() {}

    /** Between the name of a kind and options of its own. */
    private static final char OPTIONS = ':';

    /**
     * The contender of that name.
     *
     * @param limitBits the memory that {@code limit:memory} takes its answers from, and that a rival may take
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Contender find(String name, long limitBits) {
        return find(name, keys -> limitBits, () -> KnownMisses.NONE);
    }

    /**
     * The contender of that name.
     *
     * @param limitBits the same memory for a number of keys
     * @param log misses, for what learns from some before it is filled
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    static Contender find(String name, LongUnaryOperator limitBits, Supplier<KnownMisses> log) {
        if (name.equals(MEMORY_LIMIT)) {
            return (spec, stored, keys) -> new MemoryLimit(limitBits.applyAsLong(keys.length), keys.length);
        }
        if (name.startsWith(PEER_PREFIX)) {
            Peer peer = Peers.find(name.substring(PEER_PREFIX.length()));
            return (spec, stored, keys) -> peer.fill(spec, keys);
        }
        if (name.startsWith(RIVAL_PREFIX)) {
            return rival(name.substring(RIVAL_PREFIX.length()), limitBits, log);
        }
        Kind kind = kind(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown kind '" + name + "'; known: " + String.join(", ", names())));
        Map<String, String> options = options(name);
        checkOptions(kind.name(), kind.options().keySet(), options);
        return kind.isBuiltAtOnce()
                ? new AtOnce(
                        (spec, stored, hashes) -> kind.build(with(options, spec), HashSource.of(hashes), stored),
                        kind.isAdaptive())
                : new Insertable((spec, stored) -> kind.make(with(options, spec), stored), kind.isAdaptive());
    }

    private static Contender rival(String name, LongUnaryOperator limitBits, Supplier<KnownMisses> log) {
        int end = name.indexOf(OPTIONS);
        Rivals.Entry rival = Rivals.find(end < 0 ? name : name.substring(0, end));
        Map<String, String> options = options(name);
        checkOptions(RIVAL_PREFIX + name, rival.options(), options);
        return new AtOnce(
                (spec, stored, hashes) -> rival.maker()
                        .fill(new RivalPlan(spec, stored, limitBits.applyAsLong(hashes.length), log, options), hashes),
                true);
    }

    private static void checkOptions(String name, Set<String> known, Map<String, String> options) {
        for (String option : options.keySet()) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("kind " + name + " has no option '" + option + "'");
            }
        }
    }

    /** Whether a contender takes the memory of the first one, and so cannot be that itself. */
    static boolean takesMemoryOfFirst(String name) {
        return name.equals(MEMORY_LIMIT) || name.startsWith(RIVAL_PREFIX);
    }

    /**
     * Makes sure that a contender takes texts one by one.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void checkTakesTexts(String name) {
        if (name.startsWith(PEER_PREFIX)) {
            TextPeers.check(name.substring(PEER_PREFIX.length()));
        } else if (!find(name, 0).isInsertable()) {
            throw new IllegalArgumentException("kind " + name + " takes no texts one by one");
        }
    }

    private static FilterSpec with(Map<String, String> options, FilterSpec spec) {
        FilterSpec changed = spec;
        for (Map.Entry<String, String> option : options.entrySet()) {
            changed = changed.with(option.getKey(), option.getValue());
        }
        return changed;
    }

    /** A spec with the options in the name of a kind. */
    static FilterSpec withOptionsOf(String name, FilterSpec spec) {
        return with(options(name), spec);
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
        Rivals.names().forEach(rival -> names.add(RIVAL_PREFIX + rival));
        names.add(MEMORY_LIMIT);
        return names;
    }

    /** The contender of that name, which must be a kind that takes a distribution. */
    static Contender knowing(String name, Distribution distribution) {
        Kind kind = kind(name).orElseThrow();
        Map<String, String> options = options(name);
        return new Insertable((spec, stored) -> Filters.makeHashFilter(kind, with(options, spec), distribution), false);
    }

    /** A kind that takes hashes one by one. */
    private record Insertable(BiFunction<FilterSpec, StoredHashes, MembershipFilter> maker, boolean isBoundToStore)
            implements Contender {

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

    /** A kind that is built from all its hashes, or a rival. */
    private record AtOnce(Contender builder, boolean isBoundToStore) implements Contender {

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
