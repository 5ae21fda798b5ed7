package dev.besom.broom;

import dev.besom.bits.PackedFields;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes that filter and store may not both have made yet.
 *
 * <pre>
 *   newest     a ring of the last 64 keys that were put in: some may not be stored yet
 *   tags       for each of these 8 bits of a hash of its quotient, so that those that look like a key are found in 8 words; 0
 *              where the key has left
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

    private static final int TAG_BITS = 8;
    private static final long TAG_MASK = (1L << TAG_BITS) - 1;
    private static final int TAGS_PER_WORD = PackedFields.perWord(TAG_BITS);
    private static final long LOWS = PackedFields.lows(TAG_BITS);
    private static final long HIGHS = PackedFields.highs(TAG_BITS);

    private final FingerprintTable table;
    private final long[] newest = new long[MOST];
    private final long[] tags = new long[MOST / TAGS_PER_WORD];
    private int next;
    private final Deque<Deletion> waiting = new ArrayDeque<>();

    InFlight(FingerprintTable table) {
        this.table = table;
    }

    /** Nothing is in flight: filter and store hold the same. */
    void clear() {
        Arrays.fill(tags, 0);
        waiting.clear();
    }

    private long tagOf(long position) {
        return Math.max(1, Mix.mix(table.quotient(position)) >>> (Long.SIZE - TAG_BITS));
    }

    private long tag(int index) {
        return (tags[index / TAGS_PER_WORD] >>> (index * TAG_BITS)) & TAG_MASK;
    }

    private void setTag(int index, long tag) {
        int word = index / TAGS_PER_WORD;
        int shift = index * TAG_BITS;
        tags[word] = (tags[word] & ~(TAG_MASK << shift)) | tag << shift;
    }

    /** A key was put in. */
    void inserted(long position) {
        newest[next] = position;
        setTag(next, tagOf(position));
        next = (next + 1) % MOST;
        mark(position, true);
    }

    /** Gives the newest keys that have the quotient of one, and a few others. */
    void forEachNewest(long like, LongConsumer action) {
        long pattern = tagOf(like) * LOWS;
        for (int word = 0; word < tags.length; word++) {
            long equal = PackedFields.zeros(tags[word] ^ pattern, LOWS, HIGHS);
            for (; equal != 0; equal &= equal - 1) {
                action.accept(newest[word * TAGS_PER_WORD + Long.numberOfTrailingZeros(equal) / TAG_BITS]);
            }
        }
    }

    /** Where a key is among the newest; -1 if it is not. */
    private int indexOf(long position) {
        long pattern = tagOf(position) * LOWS;
        for (int word = 0; word < tags.length; word++) {
            long equal = PackedFields.zeros(tags[word] ^ pattern, LOWS, HIGHS);
            for (; equal != 0; equal &= equal - 1) {
                int index = word * TAGS_PER_WORD + Long.numberOfTrailingZeros(equal) / TAG_BITS;
                if (newest[index] == position) {
                    return index;
                }
            }
        }
        return -1;
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
        int index = indexOf(position);
        if (index >= 0) {
            setTag(index, 0);
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
        return indexOf(position) >= 0;
    }

    long[] section() {
        long[] positions = new long[MOST];
        int size = 0;
        for (int age = 0; age < MOST; age++) {
            int index = (next + age) % MOST;
            if (tag(index) != 0) {
                positions[size++] = newest[index];
            }
        }
        long[] section = Words.allocate(1L + size + waiting.size());
        int at = Words.LEAD;
        section[at++] = size;
        System.arraycopy(positions, 0, section, at, size);
        at += size;
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
    static InFlight read(long[] section, FingerprintTable table) {
        int words = Words.count(section);
        long newestCount = words == 0 ? -1 : section[Words.LEAD];
        long waitingCount = words - 1 - newestCount;
        if (newestCount < 0 || newestCount > MOST || waitingCount < 0 || waitingCount > MOST_WAITING) {
            throw new IllegalArgumentException(words + " words are no keys in flight");
        }
        InFlight inFlight = new InFlight(table);
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
