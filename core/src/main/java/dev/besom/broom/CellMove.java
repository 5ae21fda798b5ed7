package dev.besom.broom;

import dev.besom.stored.Rehash;
import java.util.Arrays;

/** A move of a cell's keys to the next hash function, as far as it has come. */
final class CellMove {

    private final Rehash before;
    private final long[] old;
    private final long[] fresh;
    private int added;

    /** The fingerprints that are given up, from the end on. */
    private long[] leaving = {};

    private boolean isEnding;

    CellMove(Rehash before, long[] old) {
        this.before = before;
        this.old = old;
        this.fresh = Arrays.stream(old)
                .map(position -> before.newPosition(before.hashOfOld(position)))
                .toArray();
    }

    /** How far the change had come when the move began. */
    Rehash before() {
        return before;
    }

    /** How many keys move. */
    int size() {
        return old.length;
    }

    boolean hasMoreToAdd() {
        return added < fresh.length;
    }

    /** The next position that gets a fingerprint. */
    long nextToAdd() {
        return fresh[added];
    }

    /** Notes that a position has got its fingerprint. */
    void added() {
        added++;
    }

    /** Gives up the fingerprints at new positions: the store has not moved. */
    void giveUpAdded(Fingerprints fingerprints) {
        giveUp(Arrays.copyOf(fresh, added), fingerprints);
    }

    /** Gives up the fingerprints at old positions: the store has moved. */
    void giveUpOld(Fingerprints fingerprints) {
        giveUp(old, fingerprints);
    }

    private void giveUp(long[] positions, Fingerprints fingerprints) {
        if (!isEnding) {
            leaving = positions;
            isEnding = true;
        }
        while (leaving.length > 0) {
            fingerprints.removeKnown(leaving);
            leaving = Arrays.copyOf(leaving, leaving.length - 1);
        }
    }
}
