package dev.besom.quotient;

import dev.besom.adaptive.RunContents;
import dev.besom.adaptive.RunOwners;

/** A run as read from a table, beside the stored hashes of its quotient. */
final class TaggedRun implements RunOwners.Graph {

    final long quotient;
    final long start;
    private final TaggedFilter filter;
    private final long[] tags;
    private final long[] remainders;
    private final long[] hashes;
    private final RunContents contents;

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
        this.contents = new RunContents(remainders, tags, filter::magnitude);
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
    public int firstLike(int slot) {
        return contents.first(slot);
    }

    @Override
    public int collectOwnable(int hash, int[] slots) {
        long owner = hashes[hash];
        return contents.collect(slots, magnitude -> {
            long tag = filter.tag(owner, magnitude);
            return contents.find(filter.remainder(owner, tag), tag);
        });
    }

    @Override
    public boolean isTouched(int slot) {
        return tags[slot] != 0;
    }

    /** Whether a query for a hash meets its own fingerprint in a slot. */
    boolean isHit(long hash, int slot) {
        return filter.isHit(hash, remainders[slot], tags[slot]);
    }

    /** The first slot from one on in which a query for a hash meets its own fingerprint; -1 if there is none. */
    int nextHit(long hash, int from) {
        for (int slot = from; slot < tags.length; slot++) {
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
