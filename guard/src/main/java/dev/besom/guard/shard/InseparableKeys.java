package dev.besom.guard.shard;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys of a shard that are not stored and that no filter can tell from those that are, because their 64-bit hashes are the
 * same. Kept exactly, up to {@value #MOST}. Any number of threads may query while one changes them.
 */
final class InseparableKeys {

    private static final int MOST = 1024;

    private final Set<Object> identities = ConcurrentHashMap.newKeySet();

    boolean isEmpty() {
        return identities.isEmpty();
    }

    boolean contains(Object identity) {
        return identities.contains(identity);
    }

    /** Adds one; where there are too many already, another one goes. */
    void add(Object identity) {
        if (identities.size() >= MOST) {
            Iterator<Object> any = identities.iterator();
            any.next();
            any.remove();
        }
        identities.add(identity);
    }

    void remove(Object identity) {
        identities.remove(identity);
    }
}
