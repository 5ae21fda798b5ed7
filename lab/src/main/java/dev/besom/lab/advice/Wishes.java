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
 * @param fpp the highest false-positive rate; 1 % where neither it nor the memory is given
 * @param memoryInBits the most memory
 * @param needs what it must be able to do
 * @param hasDictionary whether the keys stand in a dictionary that can tell a false positive and list hashes in order,
 *     which filters that adapt cannot do without
 * @param keysAreNumbers whether keys are numbers, not texts
 * @param traffic what the filter will be asked
 */
public record Wishes(
        long n,
        OptionalDouble fpp,
        OptionalLong memoryInBits,
        Set<Need> needs,
        boolean hasDictionary,
        boolean keysAreNumbers,
        Traffic traffic) {

    private static final double DEFAULT_FPP = 0.01;

    public Wishes {
        if (n < 1) {
            throw new IllegalArgumentException("the number of keys must be at least 1, not " + n);
        }
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
        EnumSet<Need> copy = EnumSet.noneOf(Need.class);
        copy.addAll(needs);
        needs = Collections.unmodifiableSet(copy);
    }

    /** Whether the rate is what is left to find, by the memory. */
    boolean isByMemory() {
        return fpp.isEmpty() && memoryInBits.isPresent();
    }

    double plannedFpp() {
        return fpp.orElse(DEFAULT_FPP);
    }
}
