package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.bits.Bitmaps;
import dev.besom.filters.Filters;
import dev.besom.stored.MemoryHashes;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick answer, the bulk answer and the answer by a look at every slot of the run are one. */
class QueryPathsTest {

    private static final int QUERIES = 4096;
    private static final int[] WIDTHS = {1, 2, 3, 5, 7, 8, 9, 12, 16, 20, 32};
    private static final String[] LOADS = {"0.3", "0.9", "0.97"};

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aQuotientFilterAnswersAllQueriesAsItCounts(long seed) {
        long positives = 0;
        for (int bits : WIDTHS) {
            for (String load : LOADS) {
                SplittableRandom random = new SplittableRandom(seed * 1000 + bits);
                QuotientFilter filter = QuotientFilter.make(spec(bits, load, seed));
                long[] keys = random.longs(2000).toArray();
                for (long key : keys) {
                    filter.insertHash(key);
                }
                long[] queried = queried(keys, random);
                long[] answers = Bitmaps.allocate(queried.length);
                filter.mightContainHashes(queried, 0, queried.length, answers);
                for (int i = 0; i < queried.length; i++) {
                    boolean expected = filter.countOfHash(queried[i]) > 0;
                    require(filter.mightContainHash(queried[i]) == expected, "alone", bits, load, queried[i]);
                    require(Bitmaps.get(answers, i) == expected, "in bulk", bits, load, queried[i]);
                }
                positives += Bitmaps.cardinality(answers);
            }
        }
        assertThat(positives).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "telescoping, ",
        "telescoping-plain, ",
        "telescoping-compact, enumerative",
        "extension, bitmap",
        "extension, enumerative"
    })
    void anAdaptiveFilterAnswersAllQueriesAsItsRunsDoAlsoAfterManyRepairs(String kind, @Nullable String code) {
        long tagged = 0;
        for (int bits : WIDTHS) {
            for (String load : LOADS) {
                SplittableRandom random = new SplittableRandom(bits);
                long[] keys = random.longs(2000).toArray();
                FilterSpec spec = spec(bits, load, bits);
                TaggedFilter filter = (TaggedFilter)
                        Filters.kind(kind).make(code == null ? spec : spec.with("code", code), MemoryHashes.of(keys));
                for (long key : keys) {
                    filter.insertHash(key);
                }
                compare(filter, bits, load, queried(keys, random));
                for (int i = 0; i < 40_000; i++) {
                    long query = random.nextLong();
                    if (filter.mightContainHash(query)) {
                        filter.repairHash(query);
                    }
                }
                compare(filter, bits, load, queried(keys, random));
                tagged += filter.tagStatistics().histogram().size() - 1;
            }
        }
        assertThat(tagged).isPositive();
    }

    private static void compare(TaggedFilter filter, int bits, String load, long[] queried) {
        long[] answers = Bitmaps.allocate(queried.length);
        filter.mightContainHashes(queried, 0, queried.length, answers);
        for (int i = 0; i < queried.length; i++) {
            long hash = queried[i];
            long quotient = filter.keys.quotient(hash);
            boolean expected = filter.runs.isOccupied(quotient)
                    && new TaggedRun(filter, quotient, new long[0]).nextHit(hash, 0) >= 0;
            require(filter.mightContainHash(hash) == expected, "alone", bits, load, hash);
            require(Bitmaps.get(answers, i) == expected, "in bulk", bits, load, hash);
        }
    }

    private static FilterSpec spec(int bits, String load, long seed) {
        return FilterSpec.of(2000, 0.01)
                .withSeed(seed)
                .with("load", load)
                .with("remainderBits", Integer.toString(bits));
    }

    private static long[] queried(long[] keys, SplittableRandom random) {
        long[] queried = random.longs(QUERIES).toArray();
        System.arraycopy(keys, 0, queried, 0, keys.length);
        return queried;
    }

    private static void require(boolean holds, String how, int bits, String load, long hash) {
        if (!holds) {
            throw new AssertionError("queried " + how + " for " + hash + " at load " + load + " and " + bits + " bits");
        }
    }
}
