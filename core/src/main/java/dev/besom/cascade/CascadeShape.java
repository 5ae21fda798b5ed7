package dev.besom.cascade;

import dev.besom.FilterSpec;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.LongField;

/**
 * What a cascade is planned from.
 *
 * @param capacity how many keys the filter is planned for
 * @param fpp the rate it is planned for
 * @param movedShare the part of the keys that level 1 is planned for
 * @param seed what the hash functions of all generations are drawn from
 */
record CascadeShape(long capacity, double fpp, double movedShare, long seed) {

    static CascadeShape of(FilterSpec spec) {
        return new CascadeShape(spec.capacity(), spec.fpp(), CascadePlan.moved(spec), spec.seed());
    }

    CascadePlan plan(CascadePlan.Rule rule) {
        return CascadePlan.of(capacity, fpp, movedShare, rule);
    }

    /** What the hash functions of a level are drawn from in a generation. */
    long levelSeed(long generation, int level) {
        return Mix.expand(seed, generation, level);
    }

    /** The fields with which the images of both kinds of cascades begin. */
    static final class Fields {

        private final LongField capacity;
        private final DoubleField fpp;
        private final DoubleField movedShare;
        private final LongField seed;
        private final LongField generation;
        private final LongField count;

        /** Declares the fields. */
        Fields(ImageForm form) {
            capacity = form.whole("capacity", "keys it is planned for, at most 2^40");
            fpp = form.real("rate", "rate it is planned for");
            movedShare = form.real("moved", "part of the keys that level 1 is planned for");
            seed = form.whole("seed", "seed");
            generation = form.whole("generation", "how often all hash functions have changed");
            count = form.whole("count", "keys");
        }

        ImageForm.Writer set(ImageForm.Writer writer, CascadeShape shape, long newGeneration, long newCount) {
            return writer.set(capacity, shape.capacity)
                    .set(fpp, shape.fpp)
                    .set(movedShare, shape.movedShare)
                    .set(seed, shape.seed)
                    .set(generation, newGeneration)
                    .set(count, newCount);
        }

        /** The shape of an image; what it says is not yet held against the levels. */
        CascadeShape shape(FilterImage image) {
            return new CascadeShape(
                    image.get(capacity, 1, CascadePlan.MOST_KEYS),
                    image.get(fpp, Double.MIN_VALUE, Math.nextDown(1.0)),
                    image.get(movedShare, CascadePlan.LEAST_MOVED, 1),
                    image.get(seed));
        }

        long generation(FilterImage image) {
            return image.get(generation, 0, Long.MAX_VALUE);
        }

        long count(FilterImage image) {
            return image.get(count, 0, Long.MAX_VALUE);
        }
    }
}
