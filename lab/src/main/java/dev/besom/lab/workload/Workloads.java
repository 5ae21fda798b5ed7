package dev.besom.lab.workload;

import dev.besom.hash.Mix;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/**
 * The workloads by name. All generated queries are for keys that no filter holds; {@link HitMix} adds hits.
 *
 * <pre>
 *   uniform[:KEYS]             each key with the same chance; without KEYS, every query is for a key of its own
 *   one-pass[:KEYS]            KEYS keys, or as many as there are queries, each once
 *   zipf:S[:KEYS]              exponent S over KEYS keys; 10 keys for each stored one where KEYS is left out
 *   firehose-active[:KEYS]     {@link FirehoseActiveSet}
 *   firehose-powerlaw[:KEYS]   {@link FirehosePowerLaw}
 *   churn[:CHANGES[:S]]        {@link Churn}: CHANGES replaced keys for each query, 0.1 unless given; exponent S, or 1
 *   adversary:R[:ROUNDS]       {@link Adversary}
 *   adversary:STRATEGY         {@link Contest}
 * </pre>
 */
public final class Workloads {

    /** The names with their parameters, for help texts and messages. */
    public static final String NAMES =
            "uniform[:KEYS], one-pass[:KEYS], zipf:S[:KEYS], firehose-active[:KEYS], firehose-powerlaw[:KEYS],"
                    + " churn[:CHANGES[:S]], adversary:R[:ROUNDS], adversary:STRATEGY";

    private static final long ZIPF_KEYS_A_STORED_KEY = 10;

    private Workloads() {}

    /**
     * The workload of that name.
     *
     * @throws IllegalArgumentException if there is none, or a parameter is missing or out of bounds
     */
    public static Workload parse(String text) {
        String[] parts = text.split(":", -1);
        return switch (parts[0]) {
            case "uniform" -> {
                checkParts(text, parts, 1, 2);
                long keys = parts.length > 1 ? whole(text, parts[1], 1, Long.MAX_VALUE) : Long.MAX_VALUE;
                yield new Named(text, (space, stored) -> uniform(space, keys));
            }
            case "one-pass" -> {
                checkParts(text, parts, 1, 2);
                long keys = parts.length > 1 ? whole(text, parts[1], 1, Long.MAX_VALUE) : Long.MAX_VALUE;
                yield new Named(text, (space, stored) -> new OnePass(space, keys));
            }
            case "churn" -> {
                checkParts(text, parts, 1, 3);
                yield new Churn(
                        text,
                        parts.length > 1 ? number(text, parts[1], 0, 1000) : Churn.DEFAULT_CHANGES,
                        parts.length > 2 ? number(text, parts[2], 0, 20) : Churn.DEFAULT_EXPONENT);
            }
            case "zipf" -> {
                checkParts(text, parts, 2, 3);
                double exponent = number(text, parts[1], 0, 20);
                long keys = parts.length > 2 ? whole(text, parts[2], 1, 1L << 40) : 0;
                yield new Named(
                        text,
                        (space, stored) -> zipf(
                                space,
                                exponent,
                                keys > 0 ? keys : Math.multiplyExact(ZIPF_KEYS_A_STORED_KEY, Math.max(1, stored))));
            }
            case "firehose-active" -> {
                checkParts(text, parts, 1, 2);
                int keys = parts.length > 1
                        ? (int) whole(text, parts[1], 1, 1 << 28)
                        : FirehoseActiveSet.DEFAULT_ACTIVE_KEYS;
                yield new Named(text, (space, stored) -> new FirehoseActiveSet(space, keys));
            }
            case "firehose-powerlaw" -> {
                checkParts(text, parts, 1, 2);
                int keys = parts.length > 1 ? (int) whole(text, parts[1], 1, 1 << 28) : FirehosePowerLaw.DEFAULT_KEYS;
                yield new Named(text, (space, stored) -> new FirehosePowerLaw(space, keys));
            }
            case "adversary" -> {
                checkParts(text, parts, 2, 3);
                if (!parts[1].isEmpty() && parts[1].chars().allMatch(c -> c >= 'a' && c <= 'z')) {
                    checkParts(text, parts, 2, 2);
                    yield new Contest(text, parts[1]);
                }
                double queriesAKey = number(text, parts[1], 1e-6, 1e6);
                int rounds = parts.length > 2 ? (int) whole(text, parts[2], 1, 1_000_000) : Adversary.DEFAULT_ROUNDS;
                yield new Adversary(text, queriesAKey, rounds);
            }
            default -> throw new IllegalArgumentException("unknown workload '" + text + "'; known: " + NAMES);
        };
    }

    private static QueryStream uniform(KeySpace space, long keys) {
        SplittableRandom random = new SplittableRandom(Mix.mix(space.seed() + 1));
        return keys == Long.MAX_VALUE
                ? (EndlessStream) () -> space.foreign(random.nextLong() >>> 1)
                : (EndlessStream) () -> space.foreign(random.nextLong(keys));
    }

    private static QueryStream zipf(KeySpace space, double exponent, long keys) {
        ZipfSampler sampler = new ZipfSampler(exponent, keys);
        SplittableRandom random = new SplittableRandom(Mix.mix(space.seed() + 2));
        return (EndlessStream) () -> space.foreign(sampler.sample(random));
    }

    private static void checkParts(String text, String[] parts, int least, int most) {
        if (parts.length < least || parts.length > most) {
            throw new IllegalArgumentException("workload '" + text + "' has "
                    + (parts.length < least ? "too few" : "too many") + " parameters; the forms are " + NAMES);
        }
    }

    private static double number(String text, String part, double least, double most) {
        try {
            double value = Double.parseDouble(part);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("workload '" + text + "': '" + part + "' is not a number", e);
        }
        throw new IllegalArgumentException(
                "workload '" + text + "': " + part + " must be from " + least + " to " + most);
    }

    private static long whole(String text, String part, long least, long most) {
        try {
            long value = Long.parseLong(part);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("workload '" + text + "': '" + part + "' is not a whole number", e);
        }
        throw new IllegalArgumentException(
                "workload '" + text + "': " + part + " must be from " + least + " to " + most);
    }

    /** Each of some keys once. */
    private static final class OnePass implements QueryStream {
        private final KeySpace space;
        private final long keys;
        private long next;

        OnePass(KeySpace space, long keys) {
            this.space = space;
            this.keys = keys;
        }

        @Override
        public boolean hasNext() {
            return next < keys;
        }

        @Override
        public long next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the pass is over");
            }
            return space.foreign(next++);
        }
    }

    /** Opens a stream. */
    @FunctionalInterface
    private interface Opener {
        QueryStream open(KeySpace space, long stored);
    }

    private record Named(String name, Opener opener) implements Workload.Stream {
        @Override
        public QueryStream open(KeySpace space, long stored) {
            return opener.open(space, stored);
        }
    }
}
