package dev.besom.quotient;

import java.util.Arrays;

/** A run as read from the table, beside the stored hashes of its quotient. */
final class TelescopedRun implements RunOwners.Graph {

    final long start;
    private final QuotientKeys keys;
    private final int[] selectors;
    private final long[] remainders;
    private final long[] hashes;

    TelescopedRun(QuotientKeys keys, Runs runs, Selectors selectorsOfTable, long quotient, long[] hashesOfQuotient) {
        this.keys = keys;
        this.hashes = hashesOfQuotient;
        long end = runs.runEnd(quotient);
        this.start = runs.runStart(quotient, end);
        int length = (int) (end - start + 1);
        this.selectors = new int[length];
        this.remainders = new long[length];
        for (int i = 0; i < length; i++) {
            selectors[i] = selectorsOfTable.get(start + i);
            remainders[i] = runs.slots.remainder(start + i);
        }
    }

    /** The same run beside other hashes. */
    private TelescopedRun(TelescopedRun run, long[] otherHashes) {
        this.keys = run.keys;
        this.hashes = otherHashes;
        this.start = run.start;
        this.selectors = run.selectors;
        this.remainders = run.remainders;
    }

    /**
     * The slot that belongs to a hash which is in the run, whether the hash is still stored or not any more; -1 if none
     * belongs to it for sure.
     */
    int slotOf(long hash) {
        long[] stillThere = hashes.clone();
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] == hash) {
                stillThere[i] = hashes[hashes.length - 1];
                stillThere[hashes.length - 1] = hash;
                int slot = RunOwners.slotOfLast(new TelescopedRun(this, stillThere));
                if (slot >= 0) {
                    return slot;
                }
                break;
            }
        }
        // Not stored any more; an equal one that is stored is another key's.
        long[] removed = Arrays.copyOf(hashes, hashes.length + 1);
        removed[hashes.length] = hash;
        return RunOwners.slotOfLast(new TelescopedRun(this, removed));
    }

    @Override
    public int slotCount() {
        return selectors.length;
    }

    @Override
    public int hashCount() {
        return hashes.length;
    }

    @Override
    public boolean couldOwn(int hash, int slot) {
        return isHit(hashes[hash], slot);
    }

    @Override
    public boolean isTouched(int slot) {
        return selectors[slot] != 0;
    }

    @Override
    public boolean areEqual(int slot, int other) {
        return selectors[slot] == selectors[other] && remainders[slot] == remainders[other];
    }

    /** Whether a question for a hash meets its own remainder in a slot. */
    boolean isHit(long hash, int slot) {
        return remainders[slot] == keys.remainder(hash, selectors[slot]);
    }

    /** The first slot in which a question for a hash meets its own remainder; -1 if there is none. */
    int firstHit(long hash) {
        for (int slot = 0; slot < selectors.length; slot++) {
            if (isHit(hash, slot)) {
                return slot;
            }
        }
        return -1;
    }

    int selector(int slot) {
        return selectors[slot];
    }

    long hash(int index) {
        return hashes[index];
    }
}
