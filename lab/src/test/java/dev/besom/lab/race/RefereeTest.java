package dev.besom.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefereeTest {

    private static final KeySpace SPACE = new KeySpace(20260103);
    private static final long[] KEYS = SPACE.stored(2000);
    private static final StoredKeys STORED = new StoredKeys(KEYS);

    @Test
    void anExactFilterHasOnlyTruePositives() {
        Referee referee = new Referee(new Exact(0), STORED);
        try (QueryStream stream = new HitMix(stream("uniform"), KEYS, 0.5, 1)) {
            referee.play(stream, 10_000);
        }
        Tally tally = referee.tally();

        assertThat(tally.answers().queries()).isEqualTo(10_000);
        assertThat(tally.answers().falsePositives()).isZero();
        assertThat(tally.answers().falsePositiveRate()).isZero();
        assertThat(tally.answers().remoteReads()).isBetween(4500L, 5500L);
        assertThat(tally.answers().falseNegatives()).isZero();
        assertThat(tally.hasRounds()).isFalse();
    }

    @Test
    void theRateIsThatOfQueriesForKeysThatAreNotStored() {
        MembershipFilter everything = new MemoryLimit(1024, KEYS.length);
        Referee referee = new Referee(everything, STORED);
        try (QueryStream stream = new HitMix(stream("uniform"), KEYS, 0.5, 1)) {
            referee.play(stream, 10_000);
        }
        Tally tally = referee.tally();

        assertThat(tally.answers().falsePositiveRate()).isEqualTo(1);
        assertThat(tally.answers().remoteReads()).isEqualTo(10_000);
        assertThat(tally.answers().falsePositives()).isBetween(4500L, 5500L);
    }

    @Test
    void aRepairedFalsePositiveIsPaidForOnce() {
        Referee referee = new Referee(new Exact(10), STORED);
        try (QueryStream stream = stream("zipf:1:1000")) {
            referee.play(stream, 100_000);
        }
        Tally tally = referee.tally();

        assertThat(tally.answers().falsePositives()).isEqualTo(tally.answers().distinctFalsePositives());
        assertThat(tally.repairs().done()).isEqualTo(tally.answers().falsePositives());
        assertThat(tally.answers().remoteReads()).isEqualTo(tally.answers().falsePositives());
        assertThat(tally.answers().falsePositives()).isBetween(50L, 200L);
        assertThat(tally.repairs().forgot()).isEqualTo(tally.repairs().done() / 7);
        assertThat(tally.repairs().cost().rangeReads())
                .isEqualTo(tally.repairs().done());
    }

    @Test
    void theSameFalsePositiveIsPaidForEachTimeWithoutRepairs() {
        Exact adaptive = new Exact(10);
        Referee referee = new Referee(new NoRepairs(adaptive), STORED);
        try (QueryStream stream = stream("zipf:1:1000")) {
            referee.play(stream, 100_000);
        }
        Tally tally = referee.tally();

        assertThat(tally.repairs().done()).isZero();
        assertThat(tally.answers().falsePositives())
                .isGreaterThan(10 * tally.answers().distinctFalsePositives());
    }

    @Test
    void anAdversaryLosesAgainstRepairsAndWinsWithoutThem() {
        Adversary adversary = (Adversary) Workloads.parse("adversary:3");
        Referee against = new Referee(new Exact(10), STORED);
        assertThat(against.tally(against.play(adversary, SPACE)).rounds().lastRate())
                .isZero();

        Referee without = new Referee(new NoRepairs(new Exact(10)), STORED);
        Tally tally = without.tally(without.play(adversary, SPACE));
        assertThat(tally.rounds().lastRate()).isEqualTo(1);
        assertThat(tally.rounds().count()).isEqualTo(Adversary.DEFAULT_ROUNDS);
    }

    @Test
    void lostKeysAreCounted() {
        Exact filter = new Exact(0);
        assertThat(filter.deleteHash(KEYS[5])).isTrue();
        assertThat(filter.deleteHash(KEYS[6])).isTrue();
        assertThat(new Referee(filter, STORED).tally().answers().falseNegatives())
                .isEqualTo(2);
    }

    private static QueryStream stream(String name) {
        return ((Workload.Stream) Workloads.parse(name)).open(SPACE, KEYS.length);
    }

    /** Knows its keys exactly, takes one in so many others for present, and repairs those for good. */
    private static final class Exact implements AdaptiveFilter {

        private final Set<Long> keys = new HashSet<>();
        private final Set<Long> repaired = new HashSet<>();
        private final int oneIn;

        Exact(int oneIn) {
            this.oneIn = oneIn;
            for (long key : KEYS) {
                keys.add(key);
            }
        }

        @Override
        public boolean mightContainHash(long hash) {
            return keys.contains(hash)
                    || (oneIn > 0 && Long.remainderUnsigned(hash, oneIn) == 0 && !repaired.contains(hash));
        }

        @Override
        public Adaptation repairHash(long hash) {
            repaired.add(hash);
            return repaired.size() % 7 == 0 ? Adaptation.FORGOT : Adaptation.FIXED;
        }

        @Override
        public AdaptationStatistics adaptationStatistics() {
            return new AdaptationStatistics(repaired.size(), repaired.size() / 7, 0, repaired.size());
        }

        @Override
        public boolean insertHash(long hash) {
            return keys.add(hash);
        }

        @Override
        public boolean deleteHash(long hash) {
            return keys.remove(hash);
        }

        @Override
        public long count() {
            return keys.size();
        }

        @Override
        public long sizeInBits() {
            return 64L * keys.size();
        }

        @Override
        public double expectedFpp() {
            return oneIn == 0 ? 0 : 1.0 / oneIn;
        }
    }

    private record NoRepairs(MembershipFilter filter) implements MembershipFilter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mightContainHash(hash);
        }

        @Override
        public long count() {
            return filter.count();
        }

        @Override
        public long sizeInBits() {
            return filter.sizeInBits();
        }

        @Override
        public double expectedFpp() {
            return filter.expectedFpp();
        }
    }
}
