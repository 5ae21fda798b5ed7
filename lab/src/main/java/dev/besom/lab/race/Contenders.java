package dev.besom.lab.race;

import dev.besom.Filters;
import dev.besom.InsertableFilter;
import dev.besom.Kind;
import dev.besom.PersistentFilter;
import dev.besom.lab.peer.Peers;

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
        Kind kind = Filters.kind(name);
        return (spec, stored, keys) -> {
            PersistentFilter filter = kind.make(spec, stored);
            if (!(filter instanceof InsertableFilter insertable)) {
                throw new IllegalArgumentException("kind " + name + " takes no keys one by one");
            }
            insertable.insertAll(keys, 0, keys.length);
            return filter;
        };
    }
}
