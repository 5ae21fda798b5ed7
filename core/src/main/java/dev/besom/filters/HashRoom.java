package dev.besom.filters;

import dev.besom.bits.Bitmaps;

/**
 * Room of a thread in which a bulk query has the hashes of a batch of keys and the answers for them, so that no query allocates: an array that
 * is new each time lies in memory that no cache has, and writing hashes there took as long as answering them.
 *
 * <p>Who takes the room while it is in use, as a filter that asks others in bulk may, gets a new one.
 *
 * <p>Cost: 8 KB for each thread that queries in bulk.
 */
final class HashRoom implements AutoCloseable {

    private static final ThreadLocal<HashRoom> ROOMS = ThreadLocal.withInitial(HashRoom::new);

    final long[] hashes = new long[BoundKeyFilter.BATCH];
    final long[] answers = Bitmaps.allocate(BoundKeyFilter.BATCH);
    private boolean isTaken;

    private HashRoom() {}

    /** The room of this thread; what is in it is arbitrary. */
    static HashRoom take() {
        HashRoom room = ROOMS.get();
        if (room.isTaken) {
            return new HashRoom();
        }
        room.isTaken = true;
        return room;
    }

    @Override
    public void close() {
        isTaken = false;
    }
}
