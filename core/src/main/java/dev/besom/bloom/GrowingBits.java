package dev.besom.bloom;

import dev.besom.ConcurrentFilter;
import dev.besom.ShareableFilter;
import dev.besom.bits.BitVector;
import dev.besom.spi.PersistentFilter;
import org.jspecify.annotations.Nullable;

/**
 * What filters that only ever set bits have in common: a vector, a count of the keys that were new, and a form for many
 * writers, which is made when it is wanted first.
 */
abstract class GrowingBits implements ShareableFilter, PersistentFilter {

    final BitVector bits;
    private long count;
    private volatile @Nullable SharedInserts shared;

    GrowingBits(BitVector bits, long count) {
        this.bits = bits;
        this.count = count;
    }

    /** Whether all bits of the hash are set, by code that queries do not share: what it branches on is not what they do. */
    abstract boolean areAllBitsSet(long hash);

    /** Sets all bits of the hash, for all threads. */
    abstract void setAtomically(long hash);

    @Override
    public final synchronized ConcurrentFilter shared() {
        SharedInserts made = shared;
        if (made == null) {
            made = new SharedInserts(this);
            shared = made;
        }
        return made;
    }

    @Override
    public final long count() {
        SharedInserts made = shared;
        return made == null ? count : count + made.added();
    }

    final void addToCount(long keys) {
        count += keys;
    }

    @Override
    public final long sizeInBits() {
        return bits.sizeInBits();
    }
}
