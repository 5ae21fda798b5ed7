package dev.besom.bits;

/**
 * Room in which a bulk query notes where in memory the answers of a batch are, before it reads any of them.
 *
 * <p>A processor waits for many reads at once, but only as far as it sees ahead: some hundred instructions. A loop that does
 * nothing but read from places that are known has more reads among them than one that computes the places as well.
 *
 * <p>Cost: 4 KB for each thread that queries in bulk, so that no query allocates.
 */
public final class BatchRoom {

    /** The hashes of a batch. */
    public static final int BATCH = 256;

    /** The numbers that there is room for, for each hash. */
    public static final int NUMBERS = 4;

    private static final ThreadLocal<int[]> ROOMS = ThreadLocal.withInitial(() -> new int[NUMBERS * BATCH]);

    private BatchRoom() {}

    /** The room of this thread; what is in it is arbitrary. */
    public static int[] ofThread() {
        return ROOMS.get();
    }
}
