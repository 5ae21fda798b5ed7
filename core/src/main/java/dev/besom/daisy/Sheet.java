package dev.besom.daisy;

import dev.besom.distribution.DaisyMath;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.Arrays;

/** Bits of one plan, and how many probes each class has in them. */
final class Sheet {

    static final ImageForm FORM = new ImageForm("daisy-sheet");

    private static final ImageForm.LongField CLASSES = FORM.whole("classes", "number of classes");
    private static final ImageForm.Section PROBES = FORM.section("probes", "probes of each class, 8 bits each");
    private static final ImageForm.Section BITS = FORM.section("bits", "the bits, lowest first");

    private final ClassNumbers probes;
    private final VariedBits bits;

    Sheet(ClassNumbers probes, VariedBits bits) {
        this.probes = probes;
        this.bits = bits;
    }

    boolean mightContain(long hash, int keyClass) {
        return bits.areSet(hash, probes.toQuery(keyClass));
    }

    /** Sets the probes of a hash; true if it would not have been found before. */
    boolean set(long hash, int keyClass) {
        return bits.set(hash, probes.toInsert(keyClass), probes.toQuery(keyClass));
    }

    /** Whether the other one's bits mean the same. */
    boolean isLike(Sheet other) {
        return bits.sizeInBits() == other.bits.sizeInBits() && Arrays.equals(probes.toArray(), other.probes.toArray());
    }

    void or(Sheet other) {
        bits.or(other.bits);
    }

    Sheet copy() {
        return new Sheet(probes, bits.copy());
    }

    VariedBits bits() {
        return bits;
    }

    /** The memory of bits and probes. */
    long sizeInBits() {
        return bits.sizeInBits() + probes.sizeInBits();
    }

    /** By class: the chance that a key of it that is not there is found. */
    double[] rates() {
        double fill = bits.fill();
        return Arrays.stream(probes.toArray())
                .mapToDouble(count -> Math.pow(fill, count))
                .toArray();
    }

    FilterImage image() {
        return FORM.write()
                .set(CLASSES, probes.toArray().length)
                .set(PROBES, probes.toWords())
                .set(BITS, bits.words())
                .image();
    }

    static Sheet read(FilterImage image, int classCount, long seed) {
        image.get(CLASSES, classCount, classCount);
        int[] probes = ClassNumbers.read(image, image.get(PROBES), classCount, DaisyMath.MAX_PROBES);
        return new Sheet(ClassNumbers.probes(probes), VariedBits.read(image, BITS, seed));
    }
}
