package dev.besom.cascade;

import dev.besom.FilterSpec;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;

/**
 * What a cascade is planned from. Its image starts with these four numbers in this order, the generation, and the count
 * of keys.
 *
 * @param capacity how many keys the filter is planned for
 * @param fpp the rate it is planned for
 * @param movedShare the part of the keys that level 1 is planned for
 * @param seed what the hash functions of all generations are drawn from
 */
record CascadeShape(long capacity, double fpp, double movedShare, long seed) {

    static final int PARAMETER_COUNT = 6;

    static CascadeShape of(FilterSpec spec) {
        return new CascadeShape(spec.capacity(), spec.fpp(), CascadePlan.moved(spec), spec.seed());
    }

    /** The shape of an image; what it says is not yet held against the levels. */
    static CascadeShape of(FilterImage image) {
        image.check(image.parameterCount() >= PARAMETER_COUNT, "too few parameters");
        CascadeShape shape = new CascadeShape(
                image.parameter(0), image.doubleParameter(1), image.doubleParameter(2), image.parameter(3));
        image.check(
                shape.capacity >= 1 && shape.capacity <= CascadePlan.MOST_KEYS,
                "a capacity of " + shape.capacity + " cannot be");
        image.check(shape.fpp > 0 && shape.fpp < 1, "a rate of " + shape.fpp + " cannot be");
        image.check(
                shape.movedShare >= CascadePlan.LEAST_MOVED && shape.movedShare <= 1,
                "a part of " + shape.movedShare + " keys cannot be");
        return shape;
    }

    /** How often the hash functions of an image have changed. */
    static long generation(FilterImage image) {
        image.check(image.parameter(4) >= 0, "negative numbers cannot be");
        return image.parameter(4);
    }

    /** How many keys an image has. */
    static long count(FilterImage image) {
        image.check(image.parameter(5) >= 0, "negative numbers cannot be");
        return image.parameter(5);
    }

    /** The parameters of an image, with others behind them. */
    long[] parameters(long generation, long count, long... own) {
        long[] all = new long[PARAMETER_COUNT + own.length];
        all[0] = capacity;
        all[1] = Double.doubleToRawLongBits(fpp);
        all[2] = Double.doubleToRawLongBits(movedShare);
        all[3] = seed;
        all[4] = generation;
        all[5] = count;
        System.arraycopy(own, 0, all, PARAMETER_COUNT, own.length);
        return all;
    }

    CascadePlan plan(CascadePlan.Rule rule) {
        return CascadePlan.of(capacity, fpp, movedShare, rule);
    }

    /** What the hash functions of a level are drawn from in a generation. */
    long levelSeed(long generation, int level) {
        return Mix.expand(seed, generation, level);
    }
}
