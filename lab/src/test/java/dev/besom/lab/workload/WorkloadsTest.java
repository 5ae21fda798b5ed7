package dev.besom.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {

    private static final KeySpace SPACE = new KeySpace(20260101);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uniform",
                "uniform:100",
                "one-pass",
                "zipf:1.1",
                "zipf:0.8:1000",
                "firehose-active",
                "firehose-powerlaw"
            })
    void theSameSeedGivesTheSameQueriesAndAnotherSeedOthers(String name) {
        long[] first = take(name, SPACE, 1000, 5000);
        assertThat(take(name, SPACE, 1000, 5000)).containsExactly(first);
        assertThat(take(name, new KeySpace(SPACE.seed() + 1), 1000, 5000)).doesNotContain(first[0]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uniform",
                "uniform:100",
                "one-pass",
                "zipf:1.1",
                "zipf:0.5:100000",
                "firehose-active:2000",
                "firehose-powerlaw:2000"
            })
    void generatedQueriesAreNeverForStoredKeys(String name) {
        int stored = 100_000;
        Set<Long> keys = new HashSet<>();
        for (long key : SPACE.stored(stored)) {
            keys.add(key);
        }
        assertThat(keys).hasSize(stored);
        assertThat(Arrays.stream(take(name, SPACE, stored, 200_000)).anyMatch(keys::contains))
                .isFalse();
    }

    @Test
    void uniformQueriesAreForKeysOfTheirOwn() {
        assertThat(distinct(take("uniform", SPACE, 1000, 200_000))).isEqualTo(200_000);
    }

    @Test
    void onePassIsOverWhenEveryKeyWasAskedForOnce() {
        QueryStream stream = ((Workload.Stream) Workloads.parse("one-pass:3000")).open(SPACE, 1000);
        Set<Long> keys = new HashSet<>();
        while (stream.hasNext()) {
            assertThat(keys.add(stream.next())).isTrue();
        }
        assertThat(keys).hasSize(3000);
        assertThatThrownBy(stream::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void uniformQueriesOfSomeKeysComeBack() {
        assertThat(distinct(take("uniform:500", SPACE, 1000, 100_000))).isEqualTo(500);
    }

    @Test
    void churnHasDefaultsAndBounds() {
        assertThat(Workloads.parse("churn")).isEqualTo(new Churn("churn", 0.1, 1));
        assertThat(Workloads.parse("churn:2:1.5")).isEqualTo(new Churn("churn:2:1.5", 2, 1.5));
        assertThatThrownBy(() -> Workloads.parse("churn:-1")).hasMessageContaining("must be from");
        assertThatThrownBy(() -> Workloads.parse("churn:1:1:1")).hasMessageContaining("too many");
    }

    /**
     * Counts of ranks against the law itself. With 200,000 draws each count is within six standard deviations of its
     * mean, but for a chance of about 2e-9 for each of the 36 counts.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99, 1, 1.1, 2})
    void zipfRanksComeAsOftenAsTheLawSays(double exponent) {
        int keys = 50;
        int draws = 200_000;
        ZipfSampler sampler = new ZipfSampler(exponent, keys);
        SplittableRandom random = new SplittableRandom(7);
        int[] counts = new int[keys + 1];
        for (int i = 0; i < draws; i++) {
            counts[(int) sampler.sample(random)]++;
        }
        double total = 0;
        for (int rank = 1; rank <= keys; rank++) {
            total += Math.pow(rank, -exponent);
        }
        for (int rank : new int[] {1, 2, 3, 10, 40, 50}) {
            double chance = Math.pow(rank, -exponent) / total;
            double deviation = Math.sqrt(draws * chance * (1 - chance));
            assertThat((double) counts[rank])
                    .as("rank %d at exponent %s", rank, exponent)
                    .isCloseTo(draws * chance, within(6 * deviation));
        }
    }

    @Test
    void aZipfLawOverOneKeyHasOnlyThatKey() {
        ZipfSampler sampler = new ZipfSampler(1.1, 1);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(sampler.sample(random)).isEqualTo(1);
        }
    }

    @Test
    void zipfHasTenKeysForEachStoredOneUnlessTold() {
        assertThat(distinct(take("zipf:0", SPACE, 20, 100_000))).isEqualTo(200);
        assertThat(distinct(take("zipf:0:30", SPACE, 20, 100_000))).isEqualTo(30);
    }

    /** A tenth of the keys and a tenth of the queries: the repeats are those of the full size. */
    @Test
    void activeSetKeysAreRepeatedAsInTheTelescopingPaper() {
        int scale = 10;
        int queries = 10_000_000 / scale;
        long[] keys = take("firehose-active:" + FirehoseActiveSet.DEFAULT_ACTIVE_KEYS / scale, SPACE, 1, queries);
        assertThat(queries / (double) distinct(keys)).isCloseTo(57, within(2.0));
    }

    @Test
    void activeSetKeysTrendAndDie() {
        int queries = 2_000_000;
        long[] keys = take("firehose-active:1000", SPACE, 1, queries);
        Set<Long> early = new HashSet<>();
        for (int i = 0; i < queries / 10; i++) {
            early.add(keys[i]);
        }
        int earlyAmongLast = 0;
        for (int i = queries - 10_000; i < queries; i++) {
            if (early.contains(keys[i])) {
                earlyAmongLast++;
            }
        }
        assertThat(early.size()).isGreaterThan(1000);
        assertThat(earlyAmongLast).isLessThan(5000);
    }

    @Test
    void powerLawKeysComeAsOftenAsTheLawSays() {
        int draws = 1_000_000;
        KeySpace space = new KeySpace(3);
        int first = 0;
        for (long key : take("firehose-powerlaw", space, 1, draws)) {
            if (key == space.foreign(0)) {
                first++;
            }
        }
        // The first key's chance is 1 - 1 / 1.5, over that of all keys, which is 1 but for 0.27 %.
        double survival = Math.exp(Math.log(Math.sqrt(Math.PI) / 2) - 0.5 * Math.log(FirehosePowerLaw.DEFAULT_KEYS));
        double chance = (1 - 1 / 1.5) / (1 - survival);
        assertThat(first / (double) draws).isCloseTo(chance, within(6 * Math.sqrt(chance / draws)));
    }

    /** Keys and repeats do not scale together here, so this needs the full size; without it the formula must do. */
    @Test
    void powerLawKeysAreRepeatedAsInTheTelescopingPaper() {
        double queries = 50_000_000;
        double survival = 1;
        double[] chances = new double[FirehosePowerLaw.DEFAULT_KEYS];
        for (int i = 0; i < chances.length; i++) {
            double next = survival * (i + 1) / (i + 1.5);
            chances[i] = survival - next;
            survival = next;
        }
        double expectedDistinct = 0;
        for (double chance : chances) {
            expectedDistinct -= Math.expm1(-queries * chance / (1 - survival));
        }
        assertThat(queries / expectedDistinct).isCloseTo(584, within(1.0));

        double few = 1_000_000;
        double expectedOfFew = 0;
        for (double chance : chances) {
            expectedOfFew -= Math.expm1(-few * chance / (1 - survival));
        }
        long seen = distinct(take("firehose-powerlaw", SPACE, 1, (int) few));
        assertThat((double) seen).isCloseTo(expectedOfFew, within(6 * Math.sqrt(expectedOfFew)));
    }

    @Test
    @Tag("thorough")
    void fullSizeFirehoseStreamsRepeatKeysAsInTheTelescopingPaper() {
        assertThat(10_000_000.0 / distinct(take("firehose-active", SPACE, 1, 10_000_000)))
                .isCloseTo(57, within(1.0));
        assertThat(50_000_000.0 / distinct(take("firehose-powerlaw", SPACE, 1, 50_000_000)))
                .isCloseTo(584, within(3.0));
    }

    @Test
    void hitsAreMixedInAtTheirShare() {
        long[] keys = SPACE.stored(1000);
        Set<Long> stored = new HashSet<>();
        for (long key : keys) {
            stored.add(key);
        }
        Workload.Stream uniform = (Workload.Stream) Workloads.parse("uniform");
        int hits = 0;
        try (QueryStream stream = new HitMix(uniform.open(SPACE, 1000), keys, 0.2, 5)) {
            for (int i = 0; i < 100_000; i++) {
                if (stored.contains(stream.next())) {
                    hits++;
                }
            }
        }
        assertThat((double) hits).isCloseTo(20_000, within(6 * Math.sqrt(100_000 * 0.2 * 0.8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unknown",
                "zipf",
                "zipf:x",
                "zipf:-1",
                "zipf:1:0",
                "zipf:1:2:3",
                "uniform:0",
                "one-pass:x",
                "adversary",
                "adversary:0",
                "adversary:3:0",
                "firehose-active:0",
                "firehose-powerlaw:many"
            })
    void aWrongWorkloadIsRefusedByName(String text) {
        assertThatThrownBy(() -> Workloads.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("workload '" + text + "'");
    }

    static long[] take(String name, KeySpace space, long stored, int count) {
        long[] keys = new long[count];
        try (QueryStream stream = ((Workload.Stream) Workloads.parse(name)).open(space, stored)) {
            for (int i = 0; i < count; i++) {
                keys[i] = stream.next();
            }
        }
        return keys;
    }

    private static long distinct(long[] keys) {
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        long distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                distinct++;
            }
        }
        return distinct;
    }
}
