package dev.besom.daisy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.hash.Mix;
import dev.besom.quotient.QuotientFilter;
import java.util.Arrays;
import java.util.List;

/**
 * The fingerprint filters of one group of classes: the first as planned, and after each overflow one of twice the room and
 * half the rate. None is filled beyond its plan: one key more would make runs longer than promised.
 */
final class Layers {

    /** More than this a group cannot have: the last one would have room for more keys than there are hashes. */
    static final int MOST = 48;

    private static final long PLACE_SALT = 0xB7E151628AED2A6BL;
    private static final long SEED_STEP = 0x7137449123EF65CDL;

    /** A table has no longer remainders: past that all layers have the same rate. */
    private static final double LEAST_RATE = 0x1p-32;

    /** A layer that overflowing makes has at least so much room. */
    private static final long LEAST_ROOM = 64;

    private static final Inside<QuotientFilter> QUOTIENT = Inside.quotient(QuotientFilter.class);

    /** Capacity and rate of the first layer, and the seed that those of all layers come from. */
    private final FilterSpec plan;

    private QuotientFilter[] layers;

    private Layers(FilterSpec plan, QuotientFilter[] layers) {
        this.plan = plan;
        this.layers = layers;
    }

    /** One layer. */
    static Layers make(FilterSpec plan) {
        return new Layers(plan, new QuotientFilter[] {QUOTIENT.make(spec(plan, 0))});
    }

    /** The layers that are there, at least one. */
    static Layers of(FilterSpec plan, List<QuotientFilter> layers) {
        return new Layers(plan, layers.toArray(QuotientFilter[]::new));
    }

    /** A plan for a group, with seeds that no other group has. */
    static FilterSpec plan(int group, long capacity, double rate, long seed) {
        return FilterSpec.of(capacity, rate).withSeed(seed + SEED_STEP * (group * (long) MOST));
    }

    private static FilterSpec spec(FilterSpec plan, int index) {
        return FilterSpec.of(room(plan, index), Math.max(LEAST_RATE, Math.scalb(plan.fpp(), -index)))
                .withSeed(plan.seed() + SEED_STEP * (index + 1));
    }

    private static long room(FilterSpec plan, int index) {
        return index == 0 ? plan.capacity() : Math.max(LEAST_ROOM, plan.capacity()) << index;
    }

    /** How many keys a layer is planned for. */
    long room(int index) {
        return room(plan, index);
    }

    /** Fingerprints spread over all slots even where the classes of a group are ranges of hashes. */
    private long place(long hash) {
        return Mix.mix(hash + plan.seed() + PLACE_SALT);
    }

    boolean mightContain(long hash) {
        long place = place(hash);
        for (QuotientFilter layer : layers) {
            if (layer.mightContainHash(place)) {
                return true;
            }
        }
        return false;
    }

    void add(long hash) {
        int last = layers.length - 1;
        if (layers[last].count() < room(last)) {
            try {
                layers[last].insertHash(place(hash));
                return;
            } catch (FilterFullException e) {
                // One in 10^9 tables has no slot left behind its end before it is full.
            }
        }
        if (layers.length == MOST) {
            throw new FilterFullException("a class has overflowed " + MOST + " times");
        }
        QuotientFilter next = QUOTIENT.make(spec(plan, layers.length));
        next.insertHash(place(hash));
        QuotientFilter[] more = Arrays.copyOf(layers, layers.length + 1);
        more[layers.length] = next;
        layers = more;
    }

    FilterSpec plan() {
        return plan;
    }

    List<QuotientFilter> filters() {
        return List.of(layers);
    }

    long sizeInBits() {
        return Arrays.stream(layers).mapToLong(QuotientFilter::sizeInBits).sum();
    }

    /** The chance that a key that is not there is answered "maybe". */
    double rate() {
        double none = 1;
        for (QuotientFilter layer : layers) {
            // No fingerprint is there twice, so the rate is the mean number of equal ones, not the chance of any.
            none *= 1 - Math.min(1, -Math.log1p(-layer.expectedFpp()));
        }
        return 1 - none;
    }
}
