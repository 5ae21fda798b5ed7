package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.peer.Peer;
import dev.besom.lab.peer.Peers;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** The contenders by name. */
public final class Contenders {

    /** Before the names of other libraries' filters. */
    public static final String PEER_PREFIX = "peer:";

    /** The name of {@link MemoryLimit}. */
    public static final String MEMORY_LIMIT = "limit:memory";

    private Contenders() {}

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
        return kind.isBuiltAtOnce() ? new Static(kind) : new Insertable((spec, stored) -> kind.make(spec, stored));
    }

    /** The kind of that name, if it is one. */
    static Optional<Kind> kind(String name) {
        return Filters.kinds().stream().filter(kind -> kind.name().equals(name)).findFirst();
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
        Kind kind = Filters.kind(name);
        return new Insertable((spec, stored) -> Filters.makeHashFilter(kind, spec, distribution));
    }

    /** A kind that takes hashes one by one. */
    private record Insertable(BiFunction<FilterSpec, StoredKeys, MembershipFilter> maker) implements Contender {

        @Override
        public MembershipFilter fill(FilterSpec spec, StoredKeys stored, long[] numbers) {
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
        public InsertableFilter empty(FilterSpec spec, StoredKeys stored) {
            return (InsertableFilter) maker.apply(spec, stored);
        }
    }

    /** A kind that is built from all its hashes. */
    private record Static(Kind kind) implements Contender {

        @Override
        public MembershipFilter fill(FilterSpec spec, StoredKeys stored, long[] numbers) {
            return kind.build(spec, HashSource.of(numbers), stored);
        }

        @Override
        public boolean takesHashes() {
            return true;
        }
    }
}
