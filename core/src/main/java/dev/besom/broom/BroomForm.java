package dev.besom.broom;

import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;

/** The fields and sections of a broom filter's image. */
final class BroomForm {

    static final ImageForm FORM = new ImageForm(BroomFilter.KIND);

    static final LongField CAPACITY = FORM.whole("capacity", "keys it is planned for");
    static final DoubleField RATE = FORM.real("rate", "false-positive rate it is planned for");
    static final LongField SEED = FORM.whole("seed", "what hash functions are drawn from");
    static final DoubleField SPILL = FORM.real("spill", "most bits a key for extensions outside their bins, 0 to 0.5");
    static final LongField MOVES = FORM.whole("moves", "keys that change their hash function at each false positive");

    static final LongField REMAINDER_BITS = FORM.whole("remainderBits", "bits of a remainder, 1 to 44");
    static final LongField SIGNATURE_BITS =
            FORM.whole("signatureBits", "bits of a slot of a primary bin; all of the remainder where that is small");
    static final LongField RUNS =
            FORM.whole("runs", "quotients of a primary bin, 1 to 54; where remainders are large, to 120");
    static final LongField SLOTS =
            FORM.whole("slots", "slots of a primary bin, 1 to 62; where remainders are large, to 120");
    static final LongField BINS = FORM.whole("bins", "primary bins");
    static final LongField MOST_OVERFLOW = FORM.whole(
            "mostOverflow", "most keys of overflow pages; where remainders are large, buckets of the back yard");

    static final LongField COUNT = FORM.whole("count", "keys in the filter");

    static final LongField FUNCTION_SEED = FORM.whole("functionSeed", "seed of the hash functions from 1 on");
    static final LongField GENERATION = FORM.whole("generation", "number of the old hash function");
    static final LongField BLOCK_BITS =
            FORM.whole("blockBits", "bits of a cell's block; 0 where no change is under way");
    static final LongField STEP_BITS = FORM.whole("stepBits", "bits of a cell's step; 0 where no change is under way");
    static final LongField FRONTIER = FORM.whole("frontier", "cells whose keys have the new hash function");

    static final Section PRIMARY = FORM.section("primary", "primary bins; where remainders are large, the front yard");
    static final Section RESTS =
            FORM.section("rests", "what signatures leave of remainders; empty where remainders are small");
    static final Section OVERFLOW = FORM.section(
            "overflow", "overflow pages, each after its length; where remainders are large, the back yard");
    static final Section SPILLED = FORM.section("spilled", "extensions that bins have no room for");
    static final Section TOMBSTONES = FORM.section("tombstones", "lengths of extensions of keys that have left");
    static final Section IN_FLIGHT = FORM.section("inFlight", "keys that may not be stored yet, ascending");
    static final Section WAITING = FORM.section("waiting", "keys whose deletions wait, the oldest first");

    private BroomForm() {}
}
