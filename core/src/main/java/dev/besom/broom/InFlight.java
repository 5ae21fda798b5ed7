package dev.besom.broom;

import dev.besom.bits.Words;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Changes that filter and store may not both have made yet.
 *
 * <pre>
 *   newest     the last 64 keys that were put in: some may not be stored yet
 *   waiting    keys that were to be deleted and whose fingerprints could not be told from those of keys in flight
 *
 *   in a section: how many newest there are, these, then those that wait
 * </pre>
 *
 * A fingerprint of a newest key that is not stored has an owner all the same, and is neither taken for that of a key that
 * leaves nor for one without an owner. A deletion that waits is tried again later: until then its fingerprint is without an
 * owner, and filter and store do not hold the same number of keys. All positions are those that keys have now: whoever moves
 * keys to another hash function does so only where nothing is in flight.
 *
 * <p>Limits: beyond 64 keys in flight at once the oldest are not known, and deleting a key that is not there may then take out
 * the fingerprint of one of them. Of more than 1024 deletions that wait the oldest are given up, and their fingerprints stay.
 */
final class InFlight {

    private static final int MOST = 64;
    private static final int MOST_WAITING = 1024;

    /** A deletion that waits; {@code isBack} says that the key was put in again since. */
    record Deletion(long position, boolean isBack) {}

    private final long[] newest = new long[MOST];
    private int size;
    private int next;
    private final Deque<Deletion> waiting = new ArrayDeque<>();

    /** Nothing is in flight: filter and store hold the same. */
    void clear() {
        size = 0;
        next = 0;
        waiting.clear();
    }

    /** A key was put in. */
    void inserted(long position) {
        newest[next] = position;
        next = (next + 1) % MOST;
        size = Math.min(MOST, size + 1);
        mark(position, true);
    }

    /** A key is to be deleted. */
    void deleting(long position) {
        mark(position, false);
    }

    private void mark(long position, boolean isBack) {
        for (int i = waiting.size(); i > 0; i--) {
            Deletion deletion = waiting.remove();
            waiting.add(deletion.position == position ? new Deletion(position, isBack) : deletion);
        }
    }

    /** A key was taken out. */
    void deleted(long position) {
        for (int i = 0; i < size; i++) {
            if (newest[i] == position) {
                size--;
                // The order of age is lost for one of them.
                newest[i] = newest[size];
                next = size;
                return;
            }
        }
    }

    /** A deletion has to wait. The oldest is given up where too many do. */
    void waits(long position) {
        if (waiting.size() == MOST_WAITING) {
            waiting.remove();
        }
        waiting.add(new Deletion(position, false));
    }

    /** The deletions that wait, the one that has waited longest first. */
    Collection<Deletion> waiting() {
        return waiting;
    }

    /** The deletion that has waited longest; null if none waits. */
    @Nullable
    Deletion nextWaiting() {
        return waiting.peek();
    }

    /** Takes out the deletion that has waited longest. */
    void dropNext() {
        waiting.remove();
    }

    /** Puts the deletion that has waited longest behind all others. */
    void postponeNext() {
        waiting.add(waiting.remove());
    }

    /** Whether a key is among the newest. */
    boolean isNewest(long position) {
        for (int i = 0; i < size; i++) {
            if (newest[i] == position) {
                return true;
            }
        }
        return false;
    }

    int newestCount() {
        return size;
    }

    long newest(int index) {
        return newest[index];
    }

    long[] section() {
        long[] section = Words.allocate(1L + size + waiting.size());
        int at = Words.LEAD;
        section[at++] = size;
        for (int i = 0; i < size; i++) {
            section[at++] = newest[i];
        }
        for (Deletion deletion : waiting) {
            section[at++] = deletion.position;
        }
        return section;
    }

    /**
     * Takes over what is in flight from a section.
     *
     * @throws IllegalArgumentException if nothing like that was written
     */
    static InFlight read(long[] section) {
        int words = Words.count(section);
        long newestCount = words == 0 ? -1 : section[Words.LEAD];
        long waitingCount = words - 1 - newestCount;
        if (newestCount < 0 || newestCount > MOST || waitingCount < 0 || waitingCount > MOST_WAITING) {
            throw new IllegalArgumentException(words + " words are no keys in flight");
        }
        InFlight inFlight = new InFlight();
        int at = Words.LEAD + 1;
        for (long i = 0; i < newestCount; i++) {
            inFlight.inserted(section[at++]);
        }
        while (at < section.length) {
            inFlight.waits(section[at++]);
        }
        return inFlight;
    }
}
