package dev.besom.bench.maps;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.LongApproximateMap;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.hash.Mix;
import it.unimi.dsi.bits.TransformationStrategies;
import it.unimi.dsi.fastutil.longs.Long2ShortOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.sux4j.mph.GOV3Function;
import it.unimi.dsi.sux4j.mph.GOV4Function;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/** A map of numbers to values of 8 bits, which says -1 for most keys that are not in it, or for all of them. */
enum Rival {
    /** Keys are objects, and so are values, of which equal ones are shared. */
    HASH_MAP {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            Map<Long, Short> map = new HashMap<>();
            Short[] shared = IntStream.range(0, 1 << VALUE_BITS)
                    .mapToObj(value -> (short) value)
                    .toArray(Short[]::new);
            for (int i = 0; i < keys.length; i++) {
                map.put(keys[i], shared[(int) values[i]]);
            }
            return key -> map.getOrDefault(key, ABSENT);
        }
    },
    /** An array of keys and one of values of 16 bits, so that one of them can say that a key is absent. */
    FASTUTIL {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            Long2ShortOpenHashMap map = new Long2ShortOpenHashMap(keys.length);
            for (int i = 0; i < keys.length; i++) {
                map.put(keys[i], (short) values[i]);
            }
            map.defaultReturnValue(ABSENT);
            return map::get;
        }
    },
    /** With a fingerprint of 8 bits beside the value: a function of its own knows nothing of absent keys. */
    SUX4J_GOV3 {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) throws IOException {
            GOV3Function<Long> function = new GOV3Function.Builder<Long>()
                    .keys(LongArrayList.wrap(keys))
                    .transform(TransformationStrategies.fixedLong())
                    .values(LongArrayList.wrap(withFingerprints(keys, values)), VALUE_BITS + FINGERPRINT_BITS)
                    .build();
            return key -> told(key, function.getLong(key));
        }
    },
    /** With a fingerprint of 8 bits beside the value: a function of its own knows nothing of absent keys. */
    SUX4J_GOV4 {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) throws IOException {
            GOV4Function<Long> function = new GOV4Function.Builder<Long>()
                    .keys(LongArrayList.wrap(keys))
                    .transform(TransformationStrategies.fixedLong())
                    .values(LongArrayList.wrap(withFingerprints(keys, values)), VALUE_BITS + FINGERPRINT_BITS)
                    .build();
            return key -> told(key, function.getLong(key));
        }
    },
    /** Besom's, with three slots a key. */
    BLOOMIER {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            return besom("bloomier", SPEC, keys, values);
        }
    },
    /** Besom's, with four. */
    BLOOMIER_4 {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            return besom("bloomier", SPEC.with("arity", "4"), keys, values);
        }
    },
    /** Besom's. */
    BLOOMIER_PERFECT {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            return besom("bloomier-perfect", SPEC, keys, values);
        }
    },
    /** Besom's. */
    BLOOMIER_DYNAMIC {
        @Override
        LongUnaryOperator build(long[] keys, long[] values) {
            return besom("bloomier-dynamic", SPEC, keys, values);
        }
    };

    static final short ABSENT = -1;
    static final int VALUE_BITS = 8;
    static final int FINGERPRINT_BITS = 8;

    private static final FilterSpec SPEC = FilterSpec.of(1, 1.0 / (1 << FINGERPRINT_BITS));

    /** The map of some keys to values of 8 bits. */
    abstract LongUnaryOperator build(long[] keys, long[] values) throws IOException;

    /** The same, where I/O does not fail. */
    final LongUnaryOperator of(long[] keys, long[] values) {
        try {
            return build(keys, values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name in the table. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long[] withFingerprints(long[] keys, long[] values) {
        return IntStream.range(0, keys.length)
                .mapToLong(i -> fingerprint(keys[i]) << VALUE_BITS | values[i])
                .toArray();
    }

    private static long fingerprint(long key) {
        return Mix.mix(key) >>> (Long.SIZE - FINGERPRINT_BITS);
    }

    private static long told(long key, long payload) {
        return payload >>> VALUE_BITS == fingerprint(key) ? payload & ((1 << VALUE_BITS) - 1) : ABSENT;
    }

    private static LongUnaryOperator besom(String kind, FilterSpec spec, long[] keys, long[] values) {
        LongHasher hasher = KeyHasher.longs();
        long[] hashes = Arrays.stream(keys).map(hasher::hash).toArray();
        LongApproximateMap map =
                Filters.kind(kind).buildMap(spec.withCapacity(keys.length), EntrySource.of(hashes, values));
        return key -> map.valueOfHash(hasher.hash(key));
    }
}
