package dev.besom.broom;

import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * What a broom filter is to be.
 *
 * @param capacity how many keys it is planned for
 * @param fpp the rate it is planned for
 * @param seed what hash functions after the first are drawn from
 * @param spill the most bits a key for bins whose extensions do not fit into them
 * @param moves how many keys change to the next hash function at each false positive when the spill is well used
 */
record BroomPlan(long capacity, double fpp, long seed, double spill, int moves) {

    static final double LEAST_DEFAULT_SPILL = 0.14;
    private static final double DEFAULT_SPILL_PER_SQUARED_RATE = 64;
    private static final double HIGHEST_RATE = 1 / 16.0;
    private static final double MOST_SPILL = 0.5;
    private static final int DEFAULT_MOVES = 40;
    private static final int MOST_MOVES = 256;

    static BroomPlan of(FilterSpec spec) {
        return new BroomPlan(
                spec.capacity(),
                spec.fpp(),
                spec.seed(),
                spec.option("spill", defaultSpill(spec.fpp()), 0, MOST_SPILL),
                (int) spec.option("moves", DEFAULT_MOVES, 0, MOST_MOVES));
    }

    /** Pairs of stored keys that need extensions are as frequent as the rate, and so are their partners that have gone. */
    private static double defaultSpill(double fpp) {
        double rate = Math.min(fpp, HIGHEST_RATE);
        return LEAST_DEFAULT_SPILL + DEFAULT_SPILL_PER_SQUARED_RATE * rate * rate;
    }

    static BroomPlan of(FilterImage image) {
        return new BroomPlan(
                image.get(BroomForm.CAPACITY, 1, Long.MAX_VALUE),
                image.get(BroomForm.RATE, Double.MIN_VALUE, Math.nextDown(1.0)),
                image.get(BroomForm.SEED),
                image.get(BroomForm.SPILL, 0, MOST_SPILL),
                (int) image.get(BroomForm.MOVES, 0, MOST_MOVES));
    }

    void write(ImageForm.Writer writer) {
        writer.set(BroomForm.CAPACITY, capacity)
                .set(BroomForm.RATE, fpp)
                .set(BroomForm.SEED, seed)
                .set(BroomForm.SPILL, spill)
                .set(BroomForm.MOVES, moves);
    }

    BroomPlan withCapacity(long newCapacity) {
        return new BroomPlan(newCapacity, fpp, seed, spill, moves);
    }
}
