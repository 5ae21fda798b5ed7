package dev.besom.quotient;

import dev.besom.StoredHashes;

/** The filters whose tags are selectors: a slot with selector s holds remainder s of its key. */
abstract sealed class SelectorFilter extends TaggedFilter permits TelescopingFilter, CompactTelescopingFilter {

    SelectorFilter(TaggedTable table, StoredHashes stored) {
        super(table, stored);
    }

    @Override
    final boolean isHit(long hash, long remainder, long tag) {
        return remainder == keys.remainder(hash, (int) tag);
    }

    @Override
    final long remainder(long owner, long tag) {
        return keys.remainder(owner, (int) tag);
    }

    @Override
    final long tagAgainst(long owner, long query, long from) {
        int selector = (int) from;
        while (keys.remainder(owner, selector) == keys.remainder(query, selector)) {
            selector++;
        }
        return selector;
    }

    @Override
    final int magnitude(long tag) {
        return (int) tag;
    }

    @Override
    final long tag(long owner, int magnitude) {
        return magnitude;
    }

    /** {@inheritDoc} None: another remainder is met as often. */
    @Override
    final double warded() {
        return 0;
    }
}
