package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The other libraries' filters by name, without the prefix that they have in a race.
 *
 * <p>The libraries stay on the class path even where Besom's own jars are modules, because not all of them can be
 * modules: the file name of one is not the name of any module, and Java refuses to derive one. This class lets its own
 * module read the class path; nothing has to be said on the command line.
 */
public final class Peers {

    private static final Map<String, Peer> BY_NAME = byName();

    static {
        Module module = Peers.class.getModule();
        if (module.isNamed()) {
            module.addReads(ClassLoader.getSystemClassLoader().getUnnamedModule());
        }
    }

    private Peers() {}

    private static Map<String, Peer> byName() {
        Map<String, Peer> peers = new TreeMap<>();
        peers.put("guava", (spec, keys) -> GuavaBloom.fill(spec, keys));
        peers.put("fastfilter-xor8", (spec, keys) -> FastFilter.xor8(keys));
        peers.put("fastfilter-xor16", (spec, keys) -> FastFilter.xor16(keys));
        peers.put("fastfilter-xorfuse8", (spec, keys) -> FastFilter.xorFuse8(keys));
        peers.put("fastfilter-golomb", (spec, keys) -> FastFilter.golomb(spec, keys));
        peers.put("fastfilter-bloom", (spec, keys) -> FastFilter.bloom(spec, keys));
        peers.put("fastfilter-blocked-bloom", (spec, keys) -> FastFilter.blockedBloom(spec, keys));
        peers.put("fastfilter-cuckoo8", (spec, keys) -> FastFilter.cuckoo8(keys));
        peers.put("fastfilter-cuckoo16", (spec, keys) -> FastFilter.cuckoo16(keys));
        peers.put("spark", (spec, keys) -> SparkBloom.fill(spec, keys));
        peers.put("parquet", (spec, keys) -> ParquetBloom.fill(spec, keys));
        peers.put("commons-collections", (spec, keys) -> CommonsBloom.fill(spec, keys));
        peers.put("datasketches", (spec, keys) -> DataSketchesBloom.fill(spec, keys));
        peers.put("cuckoofilter4j", (spec, keys) -> CuckooFilter4J.fill(spec, keys));
        return Collections.unmodifiableMap(peers);
    }

    /** The names there are. */
    public static Set<String> names() {
        return BY_NAME.keySet();
    }

    /**
     * The peer of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Peer find(String name) {
        Peer peer = BY_NAME.get(name);
        if (peer == null) {
            throw new IllegalArgumentException(
                    "unknown kind 'peer:" + name + "'; known peers: " + String.join(", ", BY_NAME.keySet()));
        }
        return (spec, keys) -> fill(name, peer, spec, keys);
    }

    private static MembershipFilter fill(String name, Peer peer, FilterSpec spec, long[] keys) {
        try {
            return peer.fill(spec, keys);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    "peer:" + name + " needs its library on the class path; not found: " + e.getMessage(), e);
        }
    }
}
