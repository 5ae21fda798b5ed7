package dev.besom.quotient.slots;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * What a quotient filter takes from a hash.
 *
 * <pre>
 *   quotient      floor(hash * slots / 2^64): the hashes of one quotient are a contiguous range
 *   remainder 0   the low r bits of word 0
 *   remainder s   piece s of the words 0, 1, 2, ...: floor(64 / r) pieces a word, from the low bits up;
 *                 none straddles two words, and none is ever met again
 *
 *   word 0        mix(hash + mix(seed)): one mix, because every query needs it
 *   word i        expand(hash, seed, i) for i from 1 on
 * </pre>
 *
 * The remainders do not come from the bits that are left of the hash below the quotient: those run out, and hashes
 * from outside may be poor there.
 */
public final class QuotientKeys {

    private final long slotCount;
    private final int remainderBits;
    private final long seed;
    private final long wordKey;
    private final long remainderMask;
    private final int piecesPerWord;

    QuotientKeys(long slotCount, int remainderBits, long seed) {
        this.slotCount = slotCount;
        this.remainderBits = remainderBits;
        this.seed = seed;
        this.wordKey = Mix.mix(seed);
        this.remainderMask = -1L >>> (Long.SIZE - remainderBits);
        this.piecesPerWord = Long.SIZE / remainderBits;
    }

    /** How many quotients there are. */
    public long slotCount() {
        return slotCount;
    }

    /** Bits of a remainder. */
    public int remainderBits() {
        return remainderBits;
    }

    /** What remainders are drawn from. */
    public long seed() {
        return seed;
    }

    /** How many remainders a word of the expanded hash has. */
    public int piecesPerWord() {
        return piecesPerWord;
    }

    /** The slot that a hash would like to have. */
    public long quotient(long hash) {
        return FastRange.place(hash, slotCount);
    }

    /** Word 0. */
    public long firstWord(long hash) {
        return Mix.mix(hash + wordKey);
    }

    /** The remainder that a hash has at first. */
    public long remainder(long hash) {
        return firstWord(hash) & remainderMask;
    }

    /** The remainder that a hash has under a selector. */
    public long remainder(long hash, int selector) {
        if (selector < piecesPerWord) {
            return firstWord(hash) >>> (selector * remainderBits) & remainderMask;
        }
        int word = selector / piecesPerWord;
        int piece = selector - word * piecesPerWord;
        return Mix.expand(hash, seed, word) >>> (piece * remainderBits) & remainderMask;
    }

    /** The smallest hash of a quotient, in unsigned order. */
    public long firstHash(long quotient) {
        return FastRange.start(quotient, slotCount);
    }

    /** The largest hash of a quotient, in unsigned order. */
    public long lastHash(long quotient) {
        return quotient == slotCount - 1 ? -1L : FastRange.start(quotient + 1, slotCount) - 1;
    }
}
