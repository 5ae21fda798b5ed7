package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * How a Bloom filter finds the bits of a hash. Frozen: files hold the scheme's number, and the bits that it chose.
 *
 * <p>The three arithmetic schemes walk over the 64-bit numbers; step {@code j} is at
 *
 * <pre>
 *   DOUBLE            x + j y
 *   TRIPLE            x + j y + j (j - 1) / 2 z
 *   ENHANCED_DOUBLE   x + j y + (j^3 - j) / 6 c
 * </pre>
 *
 * where x, y and z are drawn from the hash and c is constant. In filters of up to 2^21 words each step is good for two
 * probes, one of its upper and one of its lower 32 bits; in larger ones for one of all 64. Either is a fraction of the
 * filter's size: {@linkplain dev.besom.bits.FastRange fastrange} chooses a word by its top bits, and its lowest six are a
 * bit of that word. Fractions, unlike bit indexes, need no remainder, and are as good for filters of more than 2^32 bits as
 * for small ones. Slices are fractions of 64 bits in filters of any size. Lines are explained in {@link LinedWords}.
 *
 * <p>P. C. Dillinger, P. Manolios: Bloom filters in probabilistic verification. FMCAD 2004. A. Kirsch, M. Mitzenmacher:
 * Less hashing, same performance: building a better Bloom filter. ESA 2006.
 */
public enum IndexScheme {
    /** Double hashing with a cubic term, which keeps the probes of one key from forming a plain progression. */
    ENHANCED_DOUBLE(0),
    /** Two numbers drawn from the hash: cheapest to explain; a little more false positives in small filters. */
    DOUBLE(1),
    /** Three numbers drawn from the hash. */
    TRIPLE(2),
    /** Every probe a slice of its own of the hash's bit string: the schoolbook's independent hash functions. */
    SLICES(3),
    /** Three bits in a cache line, found by one step: the fastest, for a filter that is about one percent larger; the default. */
    LINES(4);

    /** Odd, with no pattern in its bits: the fractional part of the square root of 3. */
    static final long STEP = 0xBB67AE8584CAA73BL;

    /** Odd as well: the fractional part of the square root of 5. */
    private static final long SECOND = 0x3C6EF372FE94F82BL;

    private static final long THIRD_DRAW = 1;

    private final int id;

    IndexScheme(int id) {
        this.id = id;
    }

    /** The number in files. */
    int id() {
        return id;
    }

    static Optional<IndexScheme> ofId(long id) {
        return Arrays.stream(values()).filter(scheme -> scheme.id == id).findFirst();
    }

    /** The name in options and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static IndexScheme ofLabel(String label) {
        for (IndexScheme scheme : values()) {
            if (scheme.label().equals(label)) {
                return scheme;
            }
        }
        throw new IllegalArgumentException(
                "option scheme must be lines, enhanced-double, double, triple or slices, not '" + label + "'");
    }

    /** The bits with which that many probes give that rate for that many keys. */
    long bits(long keys, double fpp, int probes) {
        return this == LINES ? LinedBloomMath.bits(keys, fpp, probes) : BloomMath.bits(keys, fpp, probes);
    }

    /** How many different keys most likely set that many bits. */
    double keysFromFill(long bits, long setBits, int probes) {
        return this == LINES
                ? LinedBloomMath.keysFromFill(bits, setBits, probes)
                : BloomMath.keysFromFill(bits, setBits, probes);
    }

    /** What the size of a filter is a multiple of, in bits. */
    private long unit() {
        return this == LINES ? LinedWords.LINE_WORDS * Long.SIZE : Long.SIZE;
    }

    /** The next size that a filter can have, in bits. */
    long roundedUp(long bits) {
        return (bits + unit() - 1) / unit() * unit();
    }

    /** The largest size that a filter can have, in bits. */
    long mostBits() {
        return BitVector.MAX_SIZE_IN_BITS / unit() * unit();
    }

    /** Where the walk starts, x: the first probe. */
    static long start(long hash, long factor) {
        long scattered = Mix.scatter(hash, factor);
        return scattered ^ scattered >>> 32;
    }

    /** The first stride, y, from where the walk starts. */
    static long stride(long start) {
        return (start ^ start >>> 32) * SECOND;
    }

    /** Where step {@code j} is, for a walk whose stride y grows by z at each step, and z by {@code growth}. */
    static long step(long x, long y, long z, long growth, int j) {
        return x + j * y + pairs(j) * z + pairs(j) * (j - 2) / 3 * growth;
    }

    /** How many pairs there are of so many. */
    private static int pairs(int j) {
        return j * (j - 1) / 2;
    }

    /**
     * Where step {@code j} of a walk by enhanced double hashing is, from where it starts: for filters that know this one
     * scheme only.
     */
    public static long step(long start, int j) {
        return start + j * stride(start) + ((j - 1) * j * (j + 1) / 6) * STEP;
    }

    /** By how much the stride grows at first, z, for the scheme that draws it from the hash. */
    static long drawnGrowth(long start) {
        return Mix.expand(start, 0, THIRD_DRAW);
    }

    /** By how much the stride grows at first, z, for the schemes in which it is constant; and how z itself grows. */
    long constantGrowth() {
        return this == ENHANCED_DOUBLE ? STEP : 0;
    }
}
