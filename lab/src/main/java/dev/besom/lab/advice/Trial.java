package dev.besom.lab.advice;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.MembershipFilter;
import dev.besom.lab.race.Contender;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What a key costs in a filter of some kind and rate, told by one that is made and filled. Bits a key hardly depend on
 * the number of keys from some ten thousand on, so large filters are judged by a small one.
 *
 * @param plannedFpp the rate it was made for
 * @param expectedFpp the rate it has when full
 * @param bitsPerKey what it takes
 * @param indexBitsPerKey what it takes besides once it has repaired something: an index of its own
 */
public record Trial(double plannedFpp, double expectedFpp, double bitsPerKey, double indexBitsPerKey) {

    /** The most keys in a filter that is tried. */
    static final int MOST_KEYS = 1 << 16;

    /** As many while a rate is searched for, which takes a dozen filters. */
    private static final int MOST_KEYS_SEARCHING = 1 << 13;

    /** Rates are searched from one half down to this power of two, which no kind reaches. */
    private static final double LEAST_LOG_RATE = -48;

    private static final double SEARCH_TOLERANCE = 0.01;

    private static final long SEED = 0x616476696365L;

    /** Of known others as many are tried at most. */
    private static final double MOST_OTHERS = 1 << 20;

    private static final int LEAST_KEYS = 1 << 10;

    /** Queries until a false positive is given up. */
    private static final long MOST_ASKED = 1 << 14;

    /** Makes a filter for that rate and fills it; empty if the kind cannot have the rate. */
    public static Optional<Trial> of(Kind kind, long n, double fpp) {
        return of(kind, (int) Math.min(n, MOST_KEYS), fpp);
    }

    /** Builds a filter that is right about so many others for each key; empty if the kind cannot have the rate. */
    static Optional<Trial> separating(Kind kind, long n, double fpp, double othersPerKey) {
        double affordable = Math.max(LEAST_KEYS, Math.min(MOST_KEYS, MOST_OTHERS / othersPerKey));
        int keyCount = (int) Math.min((double) n, affordable);
        KeySpace space = new KeySpace(SEED);
        long[] others = LongStream.range(
                        0, (long) Math.ceil(Math.min(MOST_OTHERS * Byte.SIZE, keyCount * othersPerKey)))
                .map(space::foreign)
                .toArray();
        try {
            MembershipFilter filter = kind.buildSeparating(
                    FilterSpec.of(keyCount, fpp), HashSource.of(space.stored(keyCount)), HashSource.of(others));
            return Optional.of(new Trial(fpp, filter.expectedFpp(), filter.sizeInBits() / (double) keyCount, 0));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Several such filters side by side, each of which is asked. */
    Trial times(int filters) {
        return new Trial(plannedFpp, expectedFpp * filters, bitsPerKey * filters, indexBitsPerKey * filters);
    }

    private static Optional<Trial> of(Kind kind, int keyCount, double fpp) {
        long[] keys = new KeySpace(SEED).stored(keyCount);
        Contender contender = Contenders.find(kind.name(), 0);
        try {
            MembershipFilter filter = contender.fill(FilterSpec.of(keyCount, fpp), new StoredKeys(keys), keys);
            double expected = filter.expectedFpp();
            double bitsPerKey = filter.sizeInBits() / (double) keyCount;
            return Optional.of(new Trial(fpp, expected, bitsPerKey, indexBits(filter) / keyCount));
        } catch (IllegalArgumentException | FilterFullException e) {
            return Optional.empty();
        }
    }

    /** What the index takes that a filter makes when it repairs. */
    private static double indexBits(MembershipFilter filter) {
        if (!(filter instanceof AdaptiveFilter adaptive)) {
            return 0;
        }
        KeySpace space = new KeySpace(SEED);
        for (long i = 0; i < MOST_ASKED; i++) {
            if (adaptive.mightContainHash(space.foreign(i))) {
                adaptive.repairHash(space.foreign(i));
                break;
            }
        }
        return adaptive.indexSizeInBits();
    }

    /** All that it takes. */
    public double wholeBitsPerKey() {
        return bitsPerKey + indexBitsPerKey;
    }

    /** The filter with the lowest rate that takes at most so many bits a key; empty if all take more. */
    static Optional<Trial> ofBitsPerKey(Kind kind, long n, double mostBitsPerKey) {
        int few = (int) Math.min(n, MOST_KEYS_SEARCHING);
        double fits = -1;
        double doesNot = LEAST_LOG_RATE;
        if (!fits(of(kind, few, rate(fits)), mostBitsPerKey)) {
            return Optional.empty();
        }
        while (fits - doesNot > SEARCH_TOLERANCE) {
            double middle = (fits + doesNot) / 2;
            if (fits(of(kind, few, rate(middle)), mostBitsPerKey)) {
                fits = middle;
            } else {
                doesNot = middle;
            }
        }
        // A larger filter may take a trifle more than the small ones of the search did, or a whole bit where its
        // fingerprints have a whole number of them.
        for (double slack : new double[] {0, 2 * SEARCH_TOLERANCE, 1}) {
            Optional<Trial> found = of(kind, n, roundedUp(rate(Math.min(-1, fits + slack))));
            if (fits(found, mostBitsPerKey)) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** To three digits, so that it can be written down. */
    private static double roundedUp(double rate) {
        return new BigDecimal(rate)
                .round(new MathContext(3, RoundingMode.CEILING))
                .doubleValue();
    }

    private static boolean fits(Optional<Trial> trial, double mostBitsPerKey) {
        return trial.isPresent() && trial.get().wholeBitsPerKey() <= mostBitsPerKey;
    }

    private static double rate(double logRate) {
        return Math.pow(2, logRate);
    }
}
