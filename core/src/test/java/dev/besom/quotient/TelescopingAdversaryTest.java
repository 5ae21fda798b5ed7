package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.stored.MemoryHashes;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The adversary of the telescoping paper's section 6.1: it asks a set of queries ten times over, keeps those that were
 * false positives, and starts again with them.
 */
@Tag("slow")
class TelescopingAdversaryTest {

    private static final int SUB_ROUNDS = 10;
    private static final int MOST_ROUNDS = 20;

    @ParameterizedTest
    @CsvSource({"10, 0.00001", "20, 0.0001"})
    void theLastRoundOfTheAdversaryFindsNextToNothing(int queriesPerKey, double most) {
        play(16, queriesPerKey, most);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"10, 0.00001", "20, 0.0001", "30, 0.001", "40, 0.002", "60, 0.003", "100, 0.004"})
    void theLastRoundOfTheAdversaryFindsNextToNothingInALargeFilter(int queriesPerKey, double most) {
        play(20, queriesPerKey, most);
    }

    private static void play(int logSlots, int queriesPerKey, double most) {
        int keyCount = (int) (0.95 * (1 << logSlots));
        SplittableRandom random = new SplittableRandom(4711L + queriesPerKey);
        long[] keys = random.longs(keyCount).toArray();
        TelescopingFilter filter = TelescopingFilter.make(
                FilterSpec.of(keyCount, 1 / 256.0).with("remainderBits", "8"), MemoryHashes.of(keys));
        for (long key : keys) {
            filter.insertHash(key);
        }
        assertThat((double) filter.sizeInBits() / keyCount).isLessThan(12.9);
        double rate = lastRoundRate(
                filter, random.longs((long) queriesPerKey * keyCount).toArray(), keyCount / 100);
        filter.checkInvariants();
        for (long key : keys) {
            if (!filter.mightContainHash(key)) {
                throw new AssertionError("lost " + key);
            }
        }
        assertThat(rate).isLessThanOrEqualTo(most);
        assertThat(filter.adaptationStatistics().forgot()).isZero();
        assertThat((double) filter.sizeInBits() / keyCount).isLessThan(12.9 + 0.5);
    }

    /** The part of the last round's queries that were false positives. */
    private static double lastRoundRate(TelescopingFilter filter, long[] all, int stopAt) {
        long[] queries = all;
        double rate = 0;
        for (int round = 0; round < MOST_ROUNDS && queries.length > stopAt; round++) {
            boolean[] wasPositive = new boolean[queries.length];
            long positives = 0;
            for (int subRound = 0; subRound < SUB_ROUNDS; subRound++) {
                for (int i = 0; i < queries.length; i++) {
                    if (filter.mightContainHash(queries[i])) {
                        positives++;
                        wasPositive[i] = true;
                        if (filter.repairHash(queries[i]) == Adaptation.INSEPARABLE) {
                            throw new AssertionError("no stored hash equals " + queries[i]);
                        }
                    }
                }
            }
            rate = (double) positives / queries.length / SUB_ROUNDS;
            queries = kept(queries, wasPositive);
        }
        return rate;
    }

    private static long[] kept(long[] queries, boolean[] wasPositive) {
        long[] kept = new long[queries.length];
        int count = 0;
        for (int i = 0; i < queries.length; i++) {
            if (wasPositive[i]) {
                kept[count++] = queries[i];
            }
        }
        return Arrays.copyOf(kept, count);
    }
}
