package dev.besom.lab.advice;

import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What somebody wants of a filter, checked.
 *
 * @param n how many keys there are
 * @param limits the rate and the memory
 * @param needs what it must be able to do
 * @param setting where it stands
 * @param traffic what the filter will be asked
 */
public record Wishes(long n, Limits limits, Set<Need> needs, Setting setting, Traffic traffic) {

    private static final double DEFAULT_FPP = 0.01;

    /** Of keys that expire: those that come, and those that came before. */
    private static final int GENERATIONS_OF_EXPIRING = 2;

    public Wishes {
        if (n < 1) {
            throw new IllegalArgumentException("the number of keys must be at least 1, not " + n);
        }
        EnumSet<Need> copy = EnumSet.noneOf(Need.class);
        copy.addAll(needs);
        needs = Collections.unmodifiableSet(copy);
    }

    /**
     * The rate and the memory, either of which may be open.
     *
     * @param fpp the highest false-positive rate; 1 % where neither it nor the memory is given
     * @param memoryInBits the most memory
     */
    public record Limits(OptionalDouble fpp, OptionalLong memoryInBits) {

        public Limits {
            fpp.ifPresent(rate -> {
                if (!(rate > 0 && rate < 1)) {
                    throw new IllegalArgumentException("the rate must be above 0 and below 1, not " + rate);
                }
            });
            memoryInBits.ifPresent(bits -> {
                if (bits < 1) {
                    throw new IllegalArgumentException("the memory must be at least 1 bit, not " + bits);
                }
            });
        }

        /** A rate, and as much memory as that takes. */
        public static Limits ofRate(double fpp) {
            return new Limits(OptionalDouble.of(fpp), OptionalLong.empty());
        }

        /** Memory, and the lowest rate that fits. */
        public static Limits ofMemory(long bits) {
            return new Limits(OptionalDouble.empty(), OptionalLong.of(bits));
        }
    }

    /**
     * Where a filter stands.
     *
     * @param hasDictionary whether the keys stand in a dictionary that can tell a false positive and list hashes in order,
     *     which filters that adapt cannot do without
     * @param keysAreNumbers whether keys are numbers, not texts
     * @param knownOthers how many keys are known that are not stored and must never be taken for stored ones
     * @param keysExpire whether keys leave after a time, with nobody who deletes them one by one
     * @param writers who changes the dictionary
     */
    public record Setting(
            boolean hasDictionary, boolean keysAreNumbers, long knownOthers, boolean keysExpire, Writers writers) {

        /** Texts before a dictionary that one process changes. */
        public static final Setting USUAL = new Setting(true, false, 0, false, Writers.SOLE);

        /** With or without a dictionary. */
        public Setting withDictionary(boolean is) {
            return new Setting(is, keysAreNumbers, knownOthers, keysExpire, writers);
        }

        /** With keys that are numbers, or not. */
        public Setting withNumbers(boolean are) {
            return new Setting(hasDictionary, are, knownOthers, keysExpire, writers);
        }

        /** With so many keys that must never be taken for stored ones. */
        public Setting withKnownOthers(long count) {
            return new Setting(hasDictionary, keysAreNumbers, count, keysExpire, writers);
        }

        /** With keys that expire, or not. */
        public Setting withExpiry(boolean expire) {
            return new Setting(hasDictionary, keysAreNumbers, knownOthers, expire, writers);
        }

        /** With other writers. */
        public Setting withWriters(Writers others) {
            return new Setting(hasDictionary, keysAreNumbers, knownOthers, keysExpire, others);
        }
    }

    /** Whether the rate is what is left to find, by the memory. */
    boolean isByMemory() {
        return limits.fpp.isEmpty() && limits.memoryInBits.isPresent();
    }

    double plannedFpp() {
        return limits.fpp.orElse(DEFAULT_FPP);
    }

    /** How many filters are asked for each key, each of which has a share of the rate. */
    public int generations() {
        return setting.keysExpire ? GENERATIONS_OF_EXPIRING : 1;
    }
}
