package dev.besom.guard.notes;

import dev.besom.guard.store.Notes;
import java.nio.ByteBuffer;

/**
 * The note of how many guards a store has had: the epoch. A guard that has the lease begins a new one before it changes
 * anything. A snapshot has the epoch of the guard that wrote it, and counts only if no other guard has begun one since.
 *
 * <pre>
 *   lease acquired | epoch e read | epoch e + 1 written | snapshot of epoch e taken over, or not | hashes read | changes
 * </pre>
 *
 * A crash before the epoch is written leaves everything as it was; afterwards there is no current snapshot unless the
 * new guard has taken it over into its own epoch. Nothing is read of the store before the epoch has begun: a guard that has
 * lost its lease and does not know it may change the store until then.
 */
public final class OwnerNote {

    /** The name of the note. */
    public static final String NAME = "besom.epoch";

    private OwnerNote() {}

    /** The latest epoch; 0 if there was none. */
    public static long epoch(Notes notes) {
        byte[] noted = notes.read(NAME);
        return noted == null || noted.length != Long.BYTES
                ? 0
                : ByteBuffer.wrap(noted).getLong();
    }

    /** Begins an epoch; to be called by whoever has the lease. */
    public static void begin(Notes notes, long epoch) {
        notes.write(NAME, record(epoch));
    }

    /** What the note of an epoch holds. */
    public static byte[] record(long epoch) {
        return ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
    }
}
