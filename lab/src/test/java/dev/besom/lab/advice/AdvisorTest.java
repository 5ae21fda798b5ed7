package dev.besom.lab.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.filters.Filters;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Referee;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvisorTest {

    private static final Traffic FRESH = Traffic.withoutRepeats(1e6, 0.9);
    private static final Traffic REPEATED = new Traffic(1e6, 9e5, 1e4, 0.1, Optional.empty());

    @Test
    void whateverIsNeededTheChosenKindCanDoAndEveryKindIsAccountedFor() {
        // WITHSTAND takes a siege each time, and the other two a setting of their own.
        Need[] all = EnumSet.complementOf(EnumSet.of(Need.WITHSTAND, Need.TELL_APART, Need.GUARD))
                .toArray(Need[]::new);
        for (int mask = 0; mask < 1 << all.length; mask++) {
            Set<Need> needs = EnumSet.noneOf(Need.class);
            for (int i = 0; i < all.length; i++) {
                if ((mask >>> i & 1) == 1) {
                    needs.add(all[i]);
                }
            }
            List<Kind> able = Filters.kinds().stream()
                    .filter(kind -> !kind.hasFalseNegatives()
                            && !Filters.takesDistribution(kind)
                            && !kind.separates()
                            && needs.stream().allMatch(need -> need.isMetBy(kind)))
                    .toList();
            Wishes wishes = wishes(500, 0.01, needs, REPEATED);
            if (able.isEmpty()) {
                assertThatThrownBy(() -> advise(wishes))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("no kind fits: ");
                continue;
            }
            Advice advice = advise(wishes);
            assertThat(able).contains(advice.chosen().kind());
            List<String> named = new ArrayList<>(List.of(advice.chosen().kind().name()));
            advice.runnerUp().ifPresent(second -> {
                assertThat(able).contains(second.kind());
                named.add(second.kind().name());
            });
            assertThat(advice.runnerUp().isPresent()).isEqualTo(able.size() > 1);
            advice.others().forEach(other -> named.add(other.kind()));
            assertThat(named)
                    .containsExactlyInAnyOrderElementsOf(
                            Filters.kinds().stream().map(Kind::name).toList());
        }
    }

    /** Where a log tells what reads cost, the kind that wastes cheap ones is better than one that wastes few. */
    @Test
    void kindsAreComparedByWhatTheirWastedReadsCost() {
        MeasuredWaste byReads = (kind, fpp) -> OptionalDouble.of(1e6 * fpp);
        MeasuredWaste byCost = new MeasuredWaste() {
            @Override
            public OptionalDouble wastedReads(Kind kind, double fpp) {
                return byReads.wastedReads(kind, fpp);
            }

            @Override
            public OptionalDouble cost(Kind kind, double fpp) {
                return OptionalDouble.of(1e6 * fpp / (kind.name().equals("dleft") ? 10_000 : 1));
            }
        };
        Wishes byRate = wishes(5_000, 0.01, Set.of(Need.INSERT), FRESH);
        Wishes byMemory = new Wishes(
                5_000,
                new Wishes.Limits(OptionalDouble.empty(), OptionalLong.of(5_000 * 20)),
                Set.of(Need.INSERT),
                Wishes.Setting.USUAL,
                FRESH);
        for (Wishes wishes : List.of(byRate, byMemory)) {
            assertThat(Advisor.advise(wishes, byReads, name -> {})
                            .chosen()
                            .kind()
                            .name())
                    .isNotEqualTo("dleft");
            assertThat(Advisor.advise(wishes, byCost, name -> {})
                            .chosen()
                            .kind()
                            .name())
                    .isEqualTo("dleft");
        }
    }

    @Test
    void missesThatComeBackAreWorthAFilterThatAdaptsAndFreshOnesAreNot() {
        assertThat(advise(wishes(10_000, 0.01, Set.of(Need.INSERT), FRESH))
                        .chosen()
                        .kind()
                        .isAdaptive())
                .isFalse();
        Advice adaptive = advise(wishes(10_000, 0.01, Set.of(Need.INSERT), REPEATED));
        assertThat(adaptive.chosen().kind().isAdaptive()).isTrue();
        assertThat(adaptive.why()).contains("90.0 times");
    }

    @Test
    void againstAnAdversaryAKindIsChosenThatHeldOutWhenTried() {
        Advice advice = advise(wishes(10_000, 0.004, Set.of(Need.INSERT, Need.WITHSTAND), FRESH));
        assertThat(Need.WITHSTAND.isMetBy(advice.chosen().kind())).isTrue();
        double planned = advice.chosen().plannedFpp();
        assertThat(planned).isPositive().isLessThanOrEqualTo(0.004);
        assertThat(Siege.lastRoundRate(advice.chosen().kind(), planned)).isLessThanOrEqualTo(planned);
        assertThat(advice.others()).contains(new Verdict("bloom", "cannot withstand an adversary"));
        assertThat(Siege.lastRoundRate(Filters.kind("bloom"), 0.01)).isGreaterThan(0.5);
    }

    @Test
    void aListThatMustBeRightAboutKnownOthersIsOneThatKnowsThem() {
        Wishes wishes = new Wishes(
                5000,
                Wishes.Limits.ofRate(0.5),
                Set.of(Need.TELL_APART),
                Wishes.Setting.USUAL.withKnownOthers(500_000),
                FRESH);
        Advice advice = advise(wishes);
        assertThat(advice.chosen().kind().separates()).isTrue();
        // k + 1 + 100 / 2^k for the best k, and some percent more with so few keys.
        assertThat(advice.chosen().bitsPerKey()).isBetween(8.5, 9.6);
    }

    @Test
    void otherWritersNeedAKindThatStandsInAGuard() {
        for (Traffic traffic : List.of(FRESH, REPEATED)) {
            Wishes wishes = new Wishes(
                    5000,
                    Wishes.Limits.ofRate(0.01),
                    Set.of(Need.INSERT, Need.GUARD),
                    Wishes.Setting.USUAL.withWriters(Writers.FLEET),
                    traffic);
            Advice advice = advise(wishes);
            assertThat(advice.chosen().kind().isAdaptive()).isTrue();
            assertThat(advice.chosen().kind().isGrowable()).isTrue();
            assertThat(advice.code()).contains("Guard.builder");
        }
    }

    @Test
    void keysThatExpireTakeTwoFiltersOfHalfTheRate() {
        Wishes forEver = wishes(5000, 0.01, Set.of(Need.INSERT), FRESH);
        Wishes expiring = new Wishes(
                5000, Wishes.Limits.ofRate(0.01), Set.of(Need.INSERT), Wishes.Setting.USUAL.withExpiry(true), FRESH);
        Candidate one = advise(forEver).chosen();
        Candidate two = advise(expiring).chosen();
        assertThat(two.plannedFpp()).isEqualTo(0.005);
        assertThat(two.expectedFpp()).isCloseTo(0.01, withinPercentage(10));
        assertThat(two.bitsPerKey()).isBetween(2 * one.bitsPerKey(), 2 * one.bitsPerKey() + 4);
    }

    @Test
    void memoryBesideTheFilterCounts() {
        assertThat(Trial.of(Filters.kind("cuckoo-cuckooing"), 10_000, 0.01)
                        .orElseThrow()
                        .indexBitsPerKey())
                .isBetween(66.0, 72.0);
        assertThat(Trial.of(Filters.kind("adaptive-bloom"), 10_000, 0.01)
                        .orElseThrow()
                        .indexBitsPerKey())
                .isGreaterThan(300);
        assertThat(Trial.of(Filters.kind("telescoping"), 10_000, 0.01)
                        .orElseThrow()
                        .indexBitsPerKey())
                .isZero();
        Advice advice = advise(wishes(2000, 0.01, Set.of(Need.INSERT), Traffic.zipf(200_000, 0.9, 1.1, 20_000)));
        assertThat(advice.chosen().trial().indexBitsPerKey()).isZero();
        assertThat(advice.chosen().kind().isAdaptive()).isTrue();
    }

    @Test
    void withoutADictionaryNothingAdapts() {
        Wishes wishes = new Wishes(
                10_000,
                new Wishes.Limits(OptionalDouble.empty(), OptionalLong.empty()),
                Set.of(Need.INSERT),
                Wishes.Setting.USUAL.withDictionary(false),
                REPEATED);
        Advice advice = advise(wishes);
        assertThat(advice.chosen().kind().isAdaptive()).isFalse();
        assertThat(advice.others()).extracting(Verdict::whyNot).contains("needs a dictionary to adapt by");
        assertThat(advice.chosen().plannedFpp()).isEqualTo(0.01);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.01, 0.001})
    void theRateAskedForIsKept(double fpp) {
        for (Traffic traffic : List.of(FRESH, REPEATED)) {
            Advice advice = advise(wishes(20_000, fpp, Set.of(Need.INSERT), traffic));
            Stream.concat(Stream.of(advice.chosen()), advice.runnerUp().stream())
                    .forEach(candidate ->
                            assertThat(candidate.expectedFpp()).isPositive().isLessThan(fpp * 1.05));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {6, 10, 14.5, 30})
    void theMemoryIsNotExceededAndMostlyUsed(double bitsPerKey) {
        long n = 100_000;
        long bits = (long) (bitsPerKey * n);
        Wishes wishes = new Wishes(n, Wishes.Limits.ofMemory(bits), Set.of(Need.INSERT), Wishes.Setting.USUAL, FRESH);
        Advice advice = advise(wishes);
        assertThat(advice.chosen().sizeInBits()).isLessThanOrEqualTo(bits).isGreaterThan(bits * 4 / 5);
        assertThat(advice.runnerUp().orElseThrow().sizeInBits()).isLessThanOrEqualTo(bits);
    }

    @Test
    void whereMemoryIsAbundantNoKindIsPreferredForWastingAnEvenSmallerPartOfARead() {
        for (long n : new long[] {1_000, 100_000}) {
            Advice advice = advise(
                    new Wishes(n, Wishes.Limits.ofMemory(100 * n), Set.of(Need.INSERT), Wishes.Setting.USUAL, FRESH));
            assertThat(advice.chosen().wastedReads()).isLessThan(1);
            assertThat(advice.chosen().kind().isGrowable()).isFalse();
            assertThat(advice.chosen().kind().isDeletable()).isFalse();
            assertThat(advice.runnerUp().orElseThrow().bitsPerKey())
                    .as("bits a key of another kind that wastes nothing")
                    .isGreaterThanOrEqualTo(advice.chosen().bitsPerKey());
        }
    }

    @Test
    void whatNeedsMoreMemoryThanThereIsIsRefused() {
        Wishes wishes = new Wishes(
                100_000,
                new Wishes.Limits(OptionalDouble.of(0.01), OptionalLong.of(1_000_000)),
                Set.of(Need.INSERT),
                Wishes.Setting.USUAL,
                REPEATED);
        Advice advice = advise(wishes);
        assertThat(advice.chosen().sizeInBits()).isLessThanOrEqualTo(1_000_000);
        assertThat(advice.others()).anyMatch(other -> other.whyNot().contains("the memory is 10.00 bits a key"));

        Wishes impossible = new Wishes(
                100_000,
                new Wishes.Limits(OptionalDouble.of(0.0001), OptionalLong.of(1_000_000)),
                Set.of(Need.INSERT),
                Wishes.Setting.USUAL,
                FRESH);
        assertThatThrownBy(() -> advise(impossible)).hasMessageContaining("the memory is 10.00 bits a key");
    }

    @Test
    void whatIsSaidOfRemoteReadsComesTrue() {
        int n = 20_000;
        int queries = 400_000;
        KeySpace space = new KeySpace(0x61647669636FL);
        Traffic traffic = Traffic.zipf(queries, 1, 1.0, 10.0 * n);
        long[] keys = space.stored(n);
        StoredKeys stored = new StoredKeys(keys);
        Advice advice = advise(wishes(n, 0.01, Set.of(Need.INSERT), traffic));
        assertThat(advice.chosen().kind().isAdaptive()).isTrue();

        MembershipFilter filter = Contenders.find(advice.chosen().kind().name(), 0)
                .fill(FilterSpec.of(n, advice.chosen().plannedFpp()), stored, keys);
        Referee referee = new Referee(filter, stored);
        try (QueryStream stream = ((Workload.Stream) Workloads.parse("zipf:1.0")).open(space, n)) {
            referee.play(stream, queries);
        }
        // Some 400 false positives for different keys: 20 % are four standard deviations.
        assertThat((double) referee.tally().answers().remoteReads())
                .isCloseTo(advice.readsWithFilter(), withinPercentage(20));
        assertThat(advice.savedReads() + advice.readsWithFilter()).isEqualTo(queries);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> wishes(0, 0.01, Set.of(), FRESH)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> wishes(1, 1, Set.of(), FRESH)).hasMessageContaining("below 1");
    }

    private static Advice advise(Wishes wishes) {
        return Advisor.advise(wishes, kind -> {});
    }

    private static Wishes wishes(long n, double fpp, Set<Need> needs, Traffic traffic) {
        return new Wishes(n, Wishes.Limits.ofRate(fpp), needs, Wishes.Setting.USUAL, traffic);
    }
}
