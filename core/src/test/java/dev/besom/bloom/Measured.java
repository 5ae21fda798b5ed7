package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.testkit.HashStream;

/** Filling filters and counting their answers, chunk by chunk so that no key is held for long. */
final class Measured {

    private static final int CHUNK = 1 << 16;

    private Measured() {}

    /** Inserts the first hashes of a seed. */
    static void fill(InsertableFilter filter, long seed, long count) {
        HashStream stream = HashStream.stored(seed);
        for (long left = count; left > 0; left -= CHUNK) {
            int chunk = (int) Math.min(CHUNK, left);
            filter.insertHashes(stream.next(chunk), 0, chunk);
        }
    }

    /** How many of the next hashes get a "maybe". */
    static long countMaybes(MembershipFilter filter, HashStream stream, long count) {
        long[] result = new long[CHUNK / Long.SIZE];
        long maybes = 0;
        for (long left = count; left > 0; left -= CHUNK) {
            int chunk = (int) Math.min(CHUNK, left);
            filter.mightContainHashes(stream.next(chunk), 0, chunk, result);
            for (int i = 0; i < chunk; i++) {
                maybes += Bitmaps.get(result, i) ? 1 : 0;
            }
        }
        return maybes;
    }

    /** No false negative among the first hashes of a seed. */
    static void assertAllFound(MembershipFilter filter, long seed, long count) {
        assertThat(countMaybes(filter, HashStream.stored(seed), count))
                .as("keys found, seed %d", seed)
                .isEqualTo(count);
    }
}
