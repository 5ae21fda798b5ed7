package dev.besom;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a filter should be, checked: how many keys, how often it may be wrong, from which seed, and what else its family
 * lets one choose.
 *
 * @param capacity how many keys the filter is planned for; at least 1
 * @param fpp the false-positive rate at that many keys; above 0 and below 1
 * @param seed what the filter's own choices start from; filters merge only with filters of the same seed
 * @param options the family's own options by name; a kind refuses names that it does not know
 */
public record FilterSpec(long capacity, double fpp, long seed, Map<String, String> options) {

    public FilterSpec {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        if (!(fpp > 0 && fpp < 1)) {
            throw new IllegalArgumentException("false-positive rate must be above 0 and below 1, not " + fpp);
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** A spec with the seed 0 and no options. */
    public static FilterSpec of(long capacity, double fpp) {
        return new FilterSpec(capacity, fpp, 0, Map.of());
    }

    /** The same with another seed. */
    public FilterSpec withSeed(long newSeed) {
        return new FilterSpec(capacity, fpp, newSeed, options);
    }

    /** The same for another number of keys. */
    public FilterSpec withCapacity(long newCapacity) {
        return new FilterSpec(newCapacity, fpp, seed, options);
    }

    /** The same with another false-positive rate. */
    public FilterSpec withFpp(double newFpp) {
        return new FilterSpec(capacity, newFpp, seed, options);
    }

    /** The same with an option set; which options there are is up to the kind. */
    public FilterSpec with(String option, String value) {
        Map<String, String> changed = new TreeMap<>(options);
        changed.put(option, value);
        return new FilterSpec(capacity, fpp, seed, changed);
    }

    /** The option's text, or {@code fallback} where it is not set. */
    public String option(String name, String fallback) {
        return options.getOrDefault(name, fallback);
    }

    /** The option as a number within bounds, or {@code fallback} where it is not set. */
    public double option(String name, double fallback, double least, double most) {
        String text = options.get(name);
        if (text == null) {
            return fallback;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("option " + name + " must be a number, not '" + text + "'", e);
        }
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    "option " + name + " must be from " + least + " to " + most + ", not " + text);
        }
        return value;
    }

    /** The option as a whole number within bounds, or {@code fallback} where it is not set. */
    public long option(String name, long fallback, long least, long most) {
        String text = options.get(name);
        if (text == null) {
            return fallback;
        }
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("option " + name + " must be a whole number, not '" + text + "'", e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "option " + name + " must be from " + least + " to " + most + ", not " + text);
        }
        return value;
    }
}
