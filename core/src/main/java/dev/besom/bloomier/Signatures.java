package dev.besom.bloomier;

import dev.besom.FilterSpec;
import dev.besom.hash.Mix;

/** Short hashes by which a map knows its keys again: as many bits as the rate takes, 1 to 32. */
final class Signatures {

    static final int WIDEST = 32;

    private static final long SEED_SALT = 0x9B05688C2B3E6C1FL;

    private Signatures() {}

    /** The bits of a signature that the rate takes, or that the option says. */
    static int bits(FilterSpec spec) {
        long bits = Math.max(1, (long) Math.ceil(-Math.log(spec.fpp()) / Math.log(2) - 1e-9));
        if (bits > WIDEST && !spec.options().containsKey("fingerprintBits")) {
            throw new IllegalArgumentException(
                    "fingerprints of 32 bits have no rate below 2^-32, such as " + spec.fpp());
        }
        return (int) spec.option("fingerprintBits", bits, 1, WIDEST);
    }

    static long of(long hash, long seed, int bits) {
        return Mix.mix((hash ^ SEED_SALT) + seed) >>> (Long.SIZE - bits);
    }
}
