package dev.besom.cascade;

import dev.besom.spi.FilterImage;
import java.util.Arrays;
import java.util.List;

/**
 * One level of a cascade.
 *
 * @param filter the fingerprints of all keys that have come here, those that have moved on included
 * @param rate that the filter is planned for
 * @param dead the numbers of fingerprints for which questions were mistaken
 */
record CascadeLevel(SingleHashFilter filter, double rate, PackedBag dead) {

    /** Parameters before those of the filter. */
    static final int PARAMETER_COUNT = 2;

    static CascadeLevel empty(SingleHashFilter filter, double rate, long plannedDead) {
        return new CascadeLevel(filter, rate, PackedBag.below(filter.fingerprintCount(), plannedDead));
    }

    /** Whether keys at a position belong to a later level. */
    boolean isDead(long position) {
        return !dead.isEmpty() && dead.contains(filter.fingerprint(position));
    }

    long sizeInBits() {
        return filter.sizeInBits() + dead.sizeInBits();
    }

    void addTo(List<Long> parameters, List<long[]> sections) {
        parameters.add(Double.doubleToRawLongBits(rate));
        parameters.add(dead.slotCount());
        FilterImage image = filter.image();
        for (int i = 0; i < image.parameterCount(); i++) {
            parameters.add(image.parameter(i));
        }
        sections.addAll(image.sections());
        sections.add(dead.toWords());
    }

    /** Reads the level whose parameters and sections start at these places of the image. */
    static CascadeLevel read(
            FilterImage image, LevelKind kind, int parameter, int section, long levelSeed, long plannedDead) {
        double rate = image.doubleParameter(parameter);
        image.check(rate > 0 && rate < 1, "a rate of " + rate + " cannot be");
        long[] parameters = new long[kind.parameterCount];
        Arrays.setAll(parameters, i -> image.parameter(parameter + PARAMETER_COUNT + i));
        FilterImage own =
                new FilterImage(kind.label, parameters, image.sections().subList(section, section + kind.sectionCount));
        SingleHashFilter filter = kind.read(own, levelSeed, rate);
        PackedBag dead = PackedBag.read(
                image,
                section + kind.sectionCount,
                image.parameter(parameter + 1),
                filter.fingerprintCount(),
                plannedDead);
        return new CascadeLevel(filter, rate, dead);
    }
}
