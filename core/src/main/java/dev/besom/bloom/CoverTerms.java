package dev.besom.bloom;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The chance that keys of a word cover the bits of a query there, as a sum of powers of the number of keys:
 *
 * <pre>
 *   covered(keys) = sum over the sets S of the query's bits of (-1)^|S| P(a key misses all of S)^keys
 * </pre>
 *
 * by inclusion and exclusion. For any bits the chance depends on the size of S alone. For masks it is counted in the masks
 * themselves, with the mean over the masks of a query; sets that as many masks miss are one term. It is below that for any bits where
 * a mask of another drawn one has no two of the query's bits, and above it because one mask is the query's own.
 */
final class CoverTerms {

    private static final AtomicReferenceArray<CoverTerms> OF_MASKS =
            new AtomicReferenceArray<>(BlockedBloomMath.MAX_BITS_PER_GROUP + 1);

    /** The chances that a key misses a set. */
    private final double[] misses;

    /** What each of them counts. */
    private final double[] weights;

    private CoverTerms(double[] misses, double[] weights) {
        this.misses = misses;
        this.weights = weights;
    }

    /** Keys that choose any so many bits of a word. */
    static CoverTerms ofAnyBits(int bits) {
        double[] misses = new double[bits + 1];
        double[] weights = new double[bits + 1];
        for (int missed = 0; missed <= bits; missed++) {
            misses[missed] =
                    BlockedBloomMath.choose(Long.SIZE - missed, bits) / BlockedBloomMath.choose(Long.SIZE, bits);
            weights[missed] = sign(missed) * BlockedBloomMath.choose(bits, missed);
        }
        return new CoverTerms(misses, weights);
    }

    /** Keys that choose one of the masks of so many bits. */
    static CoverTerms ofMasks(int bits) {
        CoverTerms known = OF_MASKS.get(bits);
        if (known == null) {
            known = count(BlockedMasks.drawn(bits), BlockedMasks.of(bits));
            OF_MASKS.set(bits, known);
        }
        return known;
    }

    /** Rotations of a query's mask are missed as often as the mask itself, so drawn ones stand for all. */
    private static CoverTerms count(long[] queries, long[] masks) {
        int[] weightOfMisses = new int[masks.length + 1];
        for (long query : queries) {
            // All sets of the query's bits, the empty one last.
            for (long set = query; ; set = (set - 1) & query) {
                weightOfMisses[missing(set, masks)] += sign(Long.bitCount(set));
                if (set == 0) {
                    break;
                }
            }
        }
        int[] used = IntStream.range(0, weightOfMisses.length)
                .filter(missed -> weightOfMisses[missed] != 0)
                .toArray();
        return new CoverTerms(
                Arrays.stream(used)
                        .mapToDouble(missed -> (double) missed / masks.length)
                        .toArray(),
                Arrays.stream(used)
                        .mapToDouble(missed -> (double) weightOfMisses[missed] / queries.length)
                        .toArray());
    }

    private static int missing(long set, long[] masks) {
        int missing = 0;
        for (long mask : masks) {
            missing += (mask & set) == 0 ? 1 : 0;
        }
        return missing;
    }

    private static int sign(int size) {
        return (size & 1) == 0 ? 1 : -1;
    }

    double[] misses() {
        return misses.clone();
    }

    double[] weights() {
        return weights.clone();
    }

    /** The chance that so many keys of a word cover the bits of a query. */
    double coveredBy(double keys) {
        double covered = 0;
        for (int i = 0; i < misses.length; i++) {
            covered += weights[i] * Math.pow(misses[i], keys);
        }
        return covered;
    }
}
