package dev.besom.bloomier;

import dev.besom.spi.PersistentMap;

/**
 * What the slots of a map hold of its entries, and what is read out of them again.
 *
 * <pre>
 *   | value | signature of the key |
 * </pre>
 */
final class SignedValues {

    final int signatureBits;
    final long seed;
    private final long mask;

    SignedValues(int signatureBits, long seed) {
        this.signatureBits = signatureBits;
        this.seed = seed;
        this.mask = (1L << signatureBits) - 1;
    }

    /** What the slot of a hash holds. */
    long slot(long hash, long value) {
        return value << signatureBits | Signatures.of(hash, seed, signatureBits);
    }

    /** The value in what was found for a hash, unless it is another's. */
    long valueOf(long hash, long found) {
        return (found & mask) == Signatures.of(hash, seed, signatureBits)
                ? found >>> signatureBits
                : PersistentMap.ABSENT;
    }

    /** The chance that a fresh hash has the signature of what is found for it. */
    double expectedFpp() {
        return Math.scalb(1.0, -signatureBits);
    }
}
