package dev.besom.lab.race;

import dev.besom.InsertableFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.peer.Peers;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;

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
            return Peers.find(name.substring(PEER_PREFIX.length()));
        }
        if (Filters.kinds().stream().noneMatch(kind -> kind.name().equals(name))) {
            throw new IllegalArgumentException("unknown kind '" + name + "'; known: " + String.join(", ", names()));
        }
        Kind kind = Filters.kind(name);
        return (spec, stored, keys) -> filled(kind, kind.make(spec, stored), keys);
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
        return (spec, stored, keys) -> filled(kind, Filters.makeHashFilter(kind, spec, distribution), keys);
    }

    private static PersistentFilter filled(Kind kind, PersistentFilter filter, long[] keys) {
        if (!(filter instanceof InsertableFilter insertable)) {
            throw new IllegalArgumentException("kind " + kind.name() + " takes no keys one by one");
        }
        insertable.insertHashes(keys, 0, keys.length);
        return filter;
    }
}
