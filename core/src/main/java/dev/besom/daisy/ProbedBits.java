package dev.besom.daisy;

import dev.besom.bits.Words;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.distribution.HashClassifier;
import dev.besom.spi.FilterImage;
import java.util.List;

/**
 * An array of bits in which a key has as many places as its class: all of a filter of this family that has one array, but
 * how the places of each class and the size of the array were chosen.
 */
final class ProbedBits {

    private final Distribution distribution;
    private final ClassNumbers probes;
    private final VariedBits bits;

    private ProbedBits(Distribution distribution, ClassNumbers probes, VariedBits bits) {
        this.distribution = distribution;
        this.probes = probes;
        this.bits = bits;
    }

    /** All 0, of so many bits or a few more. */
    static ProbedBits allocate(String kind, Distribution distribution, int[] probes, double sizeInBits, long seed) {
        return new ProbedBits(distribution, ClassNumbers.probes(probes), VariedBits.allocate(kind, sizeInBits, seed));
    }

    boolean areSet(long hash, int keyClass) {
        return bits.areSet(hash, probes.toAsk(keyClass));
    }

    /** Sets the places of a hash; true if a question would have been answered "no" before. */
    boolean set(long hash, int keyClass) {
        if (keyClass != Distribution.UNKNOWN) {
            return bits.set(hash, probes.toSet(keyClass));
        }
        boolean isNew = !bits.areSet(hash, probes.toAsk(keyClass));
        bits.set(hash, probes.toSet(keyClass));
        return isNew;
    }

    /** @throws IllegalArgumentException if the other bits are not those of an equal filter */
    void requireAlike(ProbedBits other) {
        DaisyKinds.requireSame("sizes", bits.sizeInBits(), other.bits.sizeInBits());
        if (!distribution.isSameAs(other.distribution)) {
            throw new IllegalArgumentException("the filters know different distributions");
        }
    }

    void or(ProbedBits other) {
        bits.or(other.bits);
    }

    /** The same bits with the caller's classifier at hand. */
    ProbedBits bind(HashClassifier classifier) {
        return new ProbedBits(distribution.bind(classifier), probes, bits);
    }

    Distribution distribution() {
        return distribution;
    }

    int probesOf(int keyClass) {
        return probes.toAsk(keyClass);
    }

    long sizeInBits() {
        return bits.sizeInBits() + probes.sizeInBits() + distribution.sizeInBits();
    }

    long bitsWithoutDistribution() {
        return bits.sizeInBits();
    }

    /** Over the questions of the distribution, for keys that are not among so many that are stored. */
    double expectedFpp(long count) {
        return DaisyMath.rate(distribution.classes(), (double) count, probes.toArray(), bits.fill());
    }

    /** The bits, and the probes of each class. */
    List<long[]> sections() {
        return List.of(bits.words(), probes.toWords());
    }

    /** From the first two sections of an image, and the distribution that starts at that one. */
    static ProbedBits read(FilterImage image, int distributionSection, long seed) {
        Distribution distribution = DistributionForm.read(image, distributionSection);
        int[] probes = ClassNumbers.read(image, 1, distribution.classCount(), DaisyMath.MAX_PROBES);
        long[] words = image.sections().get(0);
        image.check(Words.count(words) >= 1, "a filter with no bits cannot be");
        return new ProbedBits(distribution, ClassNumbers.probes(probes), new VariedBits(words, seed));
    }
}
