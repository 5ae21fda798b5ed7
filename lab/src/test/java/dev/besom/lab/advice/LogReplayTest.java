package dev.besom.lab.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogReplayTest {

    private static final int KEYS = 4_000;
    private static final double FPP = 0.02;

    private final SplittableRandom random = new SplittableRandom(20260814);
    private final long[] keys = random.longs(KEYS).toArray();
    private final List<Long> log = new ArrayList<>();
    private final List<Double> costs = new ArrayList<>();

    /** Some keys, and a log with the cost of each query. */
    private static KeySource source(String name, long[] hashes, List<Double> costs) {
        return new KeySource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public QueryStream open() {
                return new QueryStream() {
                    private int next;

                    @Override
                    public boolean hasNext() {
                        return next < hashes.length;
                    }

                    @Override
                    public long next() {
                        return hashes[next++];
                    }

                    @Override
                    public double cost() {
                        return costs.isEmpty() ? 1 : costs.get(next - 1);
                    }
                };
            }
        };
    }

    private void ask(long key, double cost) {
        log.add(key);
        costs.add(cost);
    }

    private LogReplay replay() {
        KeySource stored = source("keys", keys, List.of());
        KeySource asked = source("log", log.stream().mapToLong(Long::longValue).toArray(), costs);
        return LogReplay.of(stored, asked, Sample.of(stored, asked));
    }

    private static Replayed of(LogReplay replay, String kind) {
        return replay.replay(Filters.kind(kind), FPP).orElseThrow();
    }

    /** Two thousand keys are missed again and again, beside hits. */
    private void askSteadily() {
        long[] missed = random.longs(2_000).toArray();
        for (int i = 0; i < 60_000; i++) {
            ask(i % 4 == 0 ? keys[random.nextInt(KEYS)] : missed[random.nextInt(missed.length)], 1);
        }
    }

    @Test
    void whatRepairsItsMistakesWastesNextToNothingOfTheLaterPart() {
        askSteadily();
        LogReplay replay = replay();
        assertThat(replay.canJudge()).isTrue();
        assertThat(replay.newMisses()).isLessThan(0.01);
        Replayed adaptive = of(replay, "telescoping");
        Replayed plain = of(replay, "bloom");
        assertThat(adaptive.waste().late()).isLessThan(5);
        assertThat(adaptive.waste().all()).isBetween(10.0, 100.0);
        assertThat(plain.waste().late()).isBetween(150.0, 500.0);
        assertThat(plain.rates().late()).isBetween(0.01, 0.03);
        assertThat(plain.waste().lateCost()).isEqualTo(plain.waste().late());

        LogJudgement judgement = LogJudgement.of(replay, FPP);
        List<String> ranked =
                judgement.byWaste().stream().map(each -> each.kind().name()).toList();
        assertThat(ranked.indexOf("telescoping")).isLessThan(ranked.indexOf("bloom"));
        assertThat(judgement.wastedReads(Filters.kind("bloom"), FPP / 2).orElseThrow())
                .isEqualTo(plain.waste().all() * (FPP / 2) / plain.rates().expected());
    }

    /** The keys that are missed change where the later part begins: what was learned of them is of no use. */
    @Test
    void driftShowsAsTheRateOfTheLaterPart() {
        long[] before = random.longs(500).toArray();
        long[] after = random.longs(500).toArray();
        for (int i = 0; i < 90_000; i++) {
            long[] missed = i < 60_000 ? before : after;
            ask(missed[random.nextInt(missed.length)], 1);
        }
        LogReplay replay = replay();
        assertThat(replay.newMisses()).isEqualTo(1);
        Replayed learned = of(replay, "daisy");
        assertThat(learned.rates().early()).isLessThan(1.5 * FPP);
        assertThat(learned.rates().late()).isGreaterThan(2 * learned.rates().early());
        assertThat(learned.rates().fresh()).isGreaterThan(2 * learned.rates().early());
        assertThat(of(replay, "bloom").rates().fresh()).isBetween(0.7 * FPP, 1.3 * FPP);
    }

    @Test
    void aWastedReadCostsWhatTheLogSays() {
        askSteadily();
        for (int i = 0; i < costs.size(); i++) {
            costs.set(i, 7.5);
        }
        Replayed plain = of(replay(), "bloom");
        assertThat(plain.waste().lateCost()).isEqualTo(7.5 * plain.waste().late());
    }

    @Test
    void aLogOfHitsTellsNothing() {
        for (int i = 0; i < 3_000; i++) {
            ask(keys[i], 1);
        }
        LogReplay replay = replay();
        assertThat(replay.canJudge()).isFalse();
        LogJudgement judgement = LogJudgement.of(replay, FPP);
        assertThat(judgement.byWaste()).isEmpty();
        assertThat(judgement.wastedReads(Filters.kind("bloom"), FPP)).isEmpty();
    }

    /** A handful of keys is missed, and whether a filter takes one of them for stored is a matter of luck. */
    @Test
    void aLogWithFewMissedKeysIsNotTakenForEnough() {
        long[] missed = random.longs(3).toArray();
        for (int i = 0; i < 3_000; i++) {
            ask(missed[i % 3], 1);
        }
        assertThat(replay().isEnoughFor(0.001)).isFalse();
        assertThat(LogJudgement.of(replay(), 0.001).wastedReads(Filters.kind("bloom"), 0.001))
                .isEmpty();
    }
}
