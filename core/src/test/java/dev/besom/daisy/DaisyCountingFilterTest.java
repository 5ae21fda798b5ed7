package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.distribution.Distribution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DaisyCountingFilterTest {

    private static final int DRAWS = 3_000;
    private static final int UNIVERSE = 100_000;

    /** Keys are stored by Zipf's law and all queried equally often. */
    private static final Distribution ZIPF = Distribution.zipf(1.1, 0, UNIVERSE, 5);

    private static long draw(SplittableRandom random) {
        return Distribution.hashOfRank((long) Math.pow(UNIVERSE, random.nextDouble()), 5);
    }

    private static DaisyCountingFilter filter(int counterBits) {
        return DaisyCountingFilter.make(
                FilterSpec.of(DRAWS, 0.02).with("counterBits", Integer.toString(counterBits)), ZIPF);
    }

    /** Draws repeat, the hottest ones more often than a counter of 2 bits can count. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void everyDrawIsThereUntilItHasBeenTakenOut(int counterBits) {
        DaisyCountingFilter filter = filter(counterBits);
        SplittableRandom random = new SplittableRandom(71);
        Map<Long, Integer> times = new HashMap<>();
        List<Long> draws = new ArrayList<>();
        for (int step = 0; step < 4 * DRAWS; step++) {
            if (draws.size() < DRAWS && (draws.isEmpty() || random.nextInt(3) > 0)) {
                long key = draw(random);
                filter.insertHash(key);
                draws.add(key);
                times.merge(key, 1, Integer::sum);
            } else {
                int last = draws.size() - 1;
                int at = random.nextInt(draws.size());
                long key = draws.get(at);
                draws.set(at, draws.get(last));
                draws.remove(last);
                times.merge(key, -1, Integer::sum);
                assertThat(filter.deleteHash(key)).isTrue();
            }
            assertThat(filter.count()).isEqualTo(draws.size());
            if (step % 500 == 0) {
                filter = DaisyCountingFilter.read(filter.image());
                assertThat(draws).allMatch(filter::mightContainHash);
            }
        }
        int most = (1 << counterBits) - 1;
        DaisyCountingFilter last = filter;
        times.forEach((key, count) ->
                assertThat(last.countOfHash(key, ZIPF.classOf(key))).isGreaterThanOrEqualTo(Math.min(most, count)));
    }

    @Test
    void whatWasPutInAndTakenOutLeavesNothingBehind() {
        DaisyCountingFilter filter = filter(16);
        long[] before = filter.image()
                .sections()
                .get(filter.image().sections().size() - 1)
                .clone();
        long[] keys = new long[DRAWS];
        SplittableRandom random = new SplittableRandom(73);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = draw(random);
            filter.insertHash(keys[i]);
        }
        for (long key : keys) {
            assertThat(filter.deleteHash(key)).isTrue();
        }
        assertThat(filter.image().sections().get(filter.image().sections().size() - 1))
                .isEqualTo(before);
        assertThat(filter.count()).isZero();
    }

    @Test
    void aHashWhoseClassNobodyTellsIsNotDeleted() {
        DaisyCountingFilter filter = filter(4);
        long key = Distribution.hashOfRank(900, 5);
        filter.insertHash(key);
        assertThat(filter.deleteHash(key, Distribution.UNKNOWN)).isFalse();
        assertThat(filter.mightContainHash(key)).isTrue();
        assertThat(filter.count()).isEqualTo(1);
    }

    /** As many counters as a filter of bits has bits. */
    @Test
    void aCounterTakesThePlaceOfABit() {
        DaisyFilter bits = DaisyFilter.make(FilterSpec.of(DRAWS, 0.02), ZIPF);
        assertThat((double) filter(4).bitsWithoutDistribution() / bits.bitsWithoutDistribution())
                .isBetween(3.9, 4.2);
    }
}
