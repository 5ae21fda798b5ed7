package dev.besom.guard.local;

import dev.besom.StoredHashes;
import dev.besom.stored.MemoryHashes;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Stored hashes with changes laid over them: those below, and those that were added, without those that were removed.
 * Nothing is removed that is not there. Any number of threads may read while none writes.
 */
final class OverlaidHashes implements StoredHashes {

    /** About so many hashes are put together at a time. */
    private static final int PIECE = 1 << 16;

    private StoredHashes below;
    private final MemoryHashes added = new MemoryHashes();
    private final MemoryHashes removed = new MemoryHashes();

    OverlaidHashes(StoredHashes below) {
        this.below = below;
    }

    /** Replaces what is below by something that has the same hashes. */
    void rebase(StoredHashes same) {
        below = same;
    }

    /** Repeats a change from a log. */
    void replay(long hash, boolean isAdded) {
        if (isAdded) {
            add(hash);
        } else if (contains(hash)) {
            remove(hash);
        }
    }

    void add(long hash) {
        if (!removed.remove(hash)) {
            added.add(hash);
        }
    }

    boolean contains(long hash) {
        return between(hash, hash).length > 0;
    }

    /** Removes one occurrence, which must be there. */
    void remove(long hash) {
        if (!added.remove(hash)) {
            removed.add(hash);
        }
    }

    @Override
    public long count() {
        return below.count() + added.count() - removed.count();
    }

    @Override
    public long[] between(long lo, long hi) {
        return without(merged(below.between(lo, hi), added.between(lo, hi)), removed.between(lo, hi));
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        // In pieces of the whole range of hashes, so that no array has them all.
        int pieceBits = Long.SIZE - Long.numberOfLeadingZeros(count() / PIECE);
        if (pieceBits == 0) {
            give(between(lo, hi), action);
            return;
        }
        int shift = Long.SIZE - pieceBits;
        for (long piece = lo >>> shift; piece <= hi >>> shift; piece++) {
            long first = piece << shift;
            long last = first | ((1L << shift) - 1);
            give(
                    between(
                            Long.compareUnsigned(first, lo) < 0 ? lo : first,
                            Long.compareUnsigned(last, hi) > 0 ? hi : last),
                    action);
        }
    }

    private static void give(long[] hashes, LongConsumer action) {
        for (long hash : hashes) {
            action.accept(hash);
        }
    }

    private static long[] merged(long[] left, long[] right) {
        if (right.length == 0) {
            return left;
        }
        long[] all = new long[left.length + right.length];
        int l = 0;
        int r = 0;
        for (int i = 0; i < all.length; i++) {
            boolean takesLeft = r == right.length || (l < left.length && Long.compareUnsigned(left[l], right[r]) <= 0);
            all[i] = takesLeft ? left[l++] : right[r++];
        }
        return all;
    }

    private static long[] without(long[] all, long[] gone) {
        if (gone.length == 0) {
            return all;
        }
        long[] rest = new long[all.length];
        int kept = 0;
        int g = 0;
        for (long hash : all) {
            if (g < gone.length && gone[g] == hash) {
                g++;
            } else {
                rest[kept++] = hash;
            }
        }
        return Arrays.copyOf(rest, kept);
    }
}
