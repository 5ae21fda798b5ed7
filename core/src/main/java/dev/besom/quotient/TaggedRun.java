package dev.besom.quotient;

import dev.besom.adaptive.RunOwners;

/** A run as read from a table, beside the stored hashes of its quotient. */
final class TaggedRun implements RunOwners.Graph {

    final long quotient;
    final long start;
    private final TaggedFilter filter;
    private final long[] tags;
    private final long[] remainders;
    private final long[] hashes;

    TaggedRun(TaggedFilter filter, long quotient, long[] hashesOfQuotient) {
        this.filter = filter;
        this.quotient = quotient;
        this.hashes = hashesOfQuotient;
        long end = filter.runs.runEnd(quotient);
        this.start = filter.runs.runStart(quotient, end);
        int length = (int) (end - start + 1);
        this.tags = new long[length];
        this.remainders = new long[length];
        for (int i = 0; i < length; i++) {
            tags[i] = filter.tags.get(start + i);
            remainders[i] = filter.slots.remainder(start + i);
        }
    }

    @Override
    public int slotCount() {
        return tags.length;
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
        return tags[slot] != 0;
    }

    @Override
    public boolean areEqual(int slot, int other) {
        return tags[slot] == tags[other] && remainders[slot] == remainders[other];
    }

    /** Whether a query for a hash meets its own fingerprint in a slot. */
    boolean isHit(long hash, int slot) {
        return filter.isHit(hash, remainders[slot], tags[slot]);
    }

    /** The first slot in which a query for a hash meets its own fingerprint; -1 if there is none. */
    int firstHit(long hash) {
        for (int slot = 0; slot < tags.length; slot++) {
            if (isHit(hash, slot)) {
                return slot;
            }
        }
        return -1;
    }

    long tag(int slot) {
        return tags[slot];
    }

    long hash(int index) {
        return hashes[index];
    }
}
