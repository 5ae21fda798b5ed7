package dev.besom.testkit;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.LongApproximateMap;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A kind of map at one point of its parameter grid, as {@link MapContract} tests it.
 *
 * @param kind one that holds values
 * @param spec keys, rate and seed
 * @param valueBits of each value
 */
public record MapSubject(Kind kind, FilterSpec spec, int valueBits) {

    /** A grid that fits any kind: few and many keys, high and low rates, narrow and wide values. */
    public static Stream<MapSubject> usualGridOf(Kind kind) {
        return IntStream.of(1, 3, 8, 20, 32)
                .boxed()
                .flatMap(bits -> Stream.of(
                                FilterSpec.of(1, 0.01),
                                FilterSpec.of(200, 0.1).withSeed(-1),
                                FilterSpec.of(4_000, 0.01).withSeed(5),
                                FilterSpec.of(5_000, 0.001))
                        .map(spec -> new MapSubject(kind, spec, bits)));
    }

    /** A seed of this check and this point of the grid. */
    long seed(long literal) {
        return Seeds.of(literal, kind.name().hashCode(), spec.capacity(), spec.seed(), valueBits);
    }

    int capacity() {
        return Math.toIntExact(spec.capacity());
    }

    /** As many keys as planned. */
    long[] keys(long literal) {
        return HashStream.stored(seed(literal)).next(capacity());
    }

    /** A value for each key, the largest and 0 among them. */
    long[] values(long literal) {
        long[] values = HashStream.fresh(seed(literal)).next(capacity());
        for (int i = 0; i < values.length; i++) {
            values[i] = i == 0 ? largestValue() : i == 1 ? 0 : values[i] >>> (Long.SIZE - valueBits);
        }
        return values;
    }

    long largestValue() {
        return (1L << valueBits) - 1;
    }

    PersistentMap build(long[] keys, long[] values) {
        return kind.buildMap(sized(), EntrySource.of(keys, values));
    }

    /** The spec with the width of values. */
    FilterSpec sized() {
        return spec.with("valueBits", Integer.toString(valueBits));
    }

    boolean isA(Class<? extends LongApproximateMap> capability) {
        return capability.isAssignableFrom(kind.type());
    }

    @Override
    public String toString() {
        return kind.name() + " n=" + spec.capacity() + " fpp=" + spec.fpp() + " seed=" + spec.seed() + " values of "
                + valueBits + " bits";
    }
}
