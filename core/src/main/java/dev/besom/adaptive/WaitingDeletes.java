package dev.besom.adaptive;

import dev.besom.bits.Words;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Hashes that were to be deleted and whose slots could not be told from those of others that leave. Each is tried again later:
 * until then its slot has it for an owner, which is not stored.
 *
 * <p>Of more than {@value #MOST} the oldest are given up, and their slots stay. One writer at a time.
 */
public final class WaitingDeletes {

    private static final int MOST = 1024;

    /**
     * A delete that waits.
     *
     * @param hash what is to be deleted
     * @param isBack whether the hash was put in again since
     */
    public record Delete(long hash, boolean isBack) {}

    /** The one that has waited longest first. */
    private final Deque<Delete> waiting = new ArrayDeque<>();

    /** Nothing waits. */
    public WaitingDeletes() {}

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Adds a hash; the oldest is given up where there are too many. */
    public void add(long hash) {
        if (waiting.size() == MOST) {
            waiting.remove();
        }
        waiting.add(new Delete(hash, false));
    }

    /** Whether a hash waits. */
    public boolean contains(long hash) {
        return waiting.stream().anyMatch(delete -> delete.hash == hash);
    }

    /** Notes that a hash was put in again, or is to be deleted again. */
    public void mark(long hash, boolean isBack) {
        // Each goes from the front to the back once, so that their order stays.
        for (int i = waiting.size(); i > 0; i--) {
            Delete delete = waiting.remove();
            waiting.add(delete.hash == hash ? new Delete(hash, isBack) : delete);
        }
    }

    /** All that wait, the one that has waited longest first. */
    public Collection<Delete> all() {
        return waiting;
    }

    /** The one that has waited longest; null if none waits. */
    public @Nullable Delete next() {
        return waiting.peek();
    }

    /** Takes out the one that has waited longest. */
    public void dropNext() {
        waiting.remove();
    }

    /** Puts the one that has waited longest behind all others. */
    public void postponeNext() {
        waiting.add(waiting.remove());
    }

    /** Nothing waits any more. */
    public void clear() {
        waiting.clear();
    }

    /**
     * The hashes as a section of an image.
     *
     * @param isThere whether the filter answers "maybe" for a hash; others have nothing to wait for
     */
    public long[] section(LongPredicate isThere) {
        long[] hashes = waiting.stream().mapToLong(Delete::hash).filter(isThere).toArray();
        long[] section = Words.allocate(hashes.length);
        System.arraycopy(hashes, 0, section, Words.LEAD, hashes.length);
        return section;
    }

    /**
     * Takes over the hashes of a section.
     *
     * @param isThere whether the filter answers "maybe" for a hash
     * @throws IllegalStateException if there are too many, or one is not in the filter
     */
    public void restore(long[] section, LongPredicate isThere) {
        if (Words.count(section) > MOST) {
            throw new IllegalStateException(Words.count(section) + " deletes that wait are too many");
        }
        for (int at = Words.LEAD; at < section.length; at++) {
            if (!isThere.test(section[at])) {
                throw new IllegalStateException("hash " + Long.toHexString(section[at]) + " waits without a slot");
            }
            add(section[at]);
        }
    }
}
