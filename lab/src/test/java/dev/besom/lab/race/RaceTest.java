package dev.besom.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.peer.Rivals;
import dev.besom.lab.workload.KeyList;
import dev.besom.spi.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RaceTest {

    static Stream<String> kinds() {
        return Filters.kinds().stream().map(Kind::name);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindRacesAndFindsItsKeys(String kind) {
        RaceResult result =
                race(spec(List.of(kind), "uniform", Map.of(), false)).get(0);

        assertThat(result.n()).isEqualTo(3000);
        assertThat(result.tally().answers().falseNegatives()).isZero();
        assertThat(result.tally().answers().queries()).isEqualTo(20_000);
        assertThat(result.tally().answers().falsePositiveRate()).isBetween(0.0, 0.03);
        assertThat(result.bitsPerKey()).isBetween(3.0, 200.0);
        assertThat(result.times().keys().missNs().median())
                .as("no times were asked for")
                .isNaN();
    }

    @Test
    void timesOfTextsAreTakenOfThoseThatTakeTexts() {
        List<String> kinds = List.of(
                "bloom",
                "broom",
                "peer:guava",
                "peer:spark",
                "peer:parquet",
                "peer:datasketches",
                "peer:commons-collections");
        RaceSpec spec = timed(kinds, false);
        for (RaceResult result :
                race(spec.toBuilder().timing(Timing.fresh(1, false).withTexts()).toSpec())) {
            assertThat(result.times().insertNs().median()).isPositive();
            assertThat(result.times().keys().hitNs().median()).isPositive();
            assertThat(result.times().keys().missNs().median()).isPositive();
            assertThat(result.times().keys().bulkNs().median()).isNaN();
            assertThat(result.tally().answers().falseNegatives()).isZero();
        }
        for (String kind : List.of("fuse", "peer:fastfilter-bloom", "limit:memory")) {
            RaceSpec.Builder refused = RaceSpec.of("bloom", kind).timing(Timing.DEFAULT.withTexts());
            assertThatThrownBy(refused::toSpec)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(kind)
                    .hasMessageContaining("texts");
        }
    }

    @Test
    void timesAreTakenAsOftenAsAskedForAndInTurn() {
        List<String> steps = new ArrayList<>();
        List<RaceResult> results = Race.run(timed(List.of("bloom", "peer:spark"), false), steps::add);

        assertThat(steps)
                .containsExactly(
                        "bloom: round 1 of 2",
                        "peer:spark: round 1 of 2",
                        "bloom: round 2 of 2",
                        "bloom: queries",
                        "peer:spark: round 2 of 2",
                        "peer:spark: queries");
        assertThat(steps).hasSize((int) Race.steps(timed(List.of("bloom", "peer:spark"), false)));
        for (RaceResult result : results) {
            for (Spread spread : List.of(
                    result.times().insertNs(),
                    result.times().keys().hitNs(),
                    result.times().keys().missNs(),
                    result.times().keys().bulkNs())) {
                assertThat(spread.least()).isPositive().isLessThanOrEqualTo(spread.median());
                assertThat(spread.median()).isLessThanOrEqualTo(spread.most()).isLessThan(1e6);
            }
        }
        assertThat(results.get(0).times().allocatedBytes()).isLessThan(0.1);
    }

    @Test
    void onlyKindsThatTakeHashesAreTimedWithHashesToo() {
        List<RaceResult> results = race(timed(List.of("bloom", "fuse", "peer:guava"), false));
        assertThat(results.get(0).times().hashes().missNs().median()).isPositive();
        assertThat(results.get(0).times().bulkInsertNs().median()).isPositive();
        assertThat(results.get(1).times().hashes().hitNs().median()).isPositive();
        assertThat(results.get(1).times().bulkInsertNs().median())
                .as("built whole")
                .isNaN();
        assertThat(results.get(2).times().hashes().missNs().median())
                .as("hashes by itself")
                .isNaN();
        assertThat(results.get(2).times().keys().missNs().median()).isPositive();
    }

    @Test
    void theKeysOfARaceHaveItsHashes() {
        long[] hashes = {0, 1, -1, Long.MIN_VALUE, 0x0123456789ABCDEFL};
        long[] keys = new long[hashes.length];
        Preimages.fill(hashes, 0, hashes.length, keys);
        for (int i = 0; i < keys.length; i++) {
            assertThat(KeyHasher.longs().hash(keys[i])).isEqualTo(hashes[i]);
        }
    }

    @Test
    void aJvmOfItsOwnGivesTheSameAnswers() {
        List<String> kinds = List.of("bloom", "peer:guava", "limit:memory");
        List<RaceResult> apart = race(spec(kinds, "zipf:1.1", Map.of(), true));
        assertThat(race(timed(List.of("bloom", "blocked-bloom"), true))
                        .get(1)
                        .times()
                        .keys()
                        .missNs()
                        .median())
                .isPositive();
        List<RaceResult> together = race(spec(kinds, "zipf:1.1", Map.of(), false));

        assertThat(apart).extracting(RaceResult::kind).isEqualTo(kinds);
        assertThat(apart)
                .extracting(RaceResult::tally)
                .isEqualTo(together.stream().map(RaceResult::tally).toList());
        assertThat(apart)
                .extracting(RaceResult::bitsPerKey)
                .isEqualTo(together.stream().map(RaceResult::bitsPerKey).toList());
    }

    @Test
    void theMemoryLimitTakesTheSizeOfTheFirstKind() {
        List<RaceResult> results = race(spec(List.of("bloom", "limit:memory"), "uniform", Map.of(), false));
        assertThat(results.get(1).bitsPerKey()).isCloseTo(results.get(0).bitsPerKey(), within(512 / 3000.0));
        assertThatThrownBy(() -> race(spec(List.of("limit:memory", "bloom"), "uniform", Map.of(), false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit:memory");
    }

    @Test
    void rivalsAndKindsOfEqualMemoryTakeThatOfTheFirst() {
        List<String> kinds = new ArrayList<>(List.of("telescoping", "bloom", "cuckoo-cyclic", "quotient"));
        Rivals.names().forEach(name -> kinds.add("rival:" + name));
        assertEqualMemory(kinds, false);
    }

    @Test
    void jvmsOfTheirOwnAreToldTheMemoryOfTheFirst() {
        assertEqualMemory(List.of("telescoping", "bloom", "rival:stacked"), true);
    }

    private static void assertEqualMemory(List<String> kinds, boolean isolate) {
        RaceSpec spec = spec(kinds, "zipf:1.1", Map.of(), isolate).toBuilder()
                .equalMemory(true)
                .toSpec();
        List<RaceResult> results = race(spec);
        assertThat(results).allSatisfy(result -> {
            assertThat(result.tally().answers().falseNegatives()).isZero();
            // A bit more of a remainder is a tenth of a filter, and three thousand keys leave small ones some waste.
            assertThat(result.bitsPerKey())
                    .as(result.kind())
                    .isBetween(
                            0.88 * results.get(0).bitsPerKey(),
                            1.001 * results.get(0).bitsPerKey());
        });
        assertThat(results.get(1).tally().answers().falsePositives())
                .as("a Bloom filter repeats itself")
                .isGreaterThan(results.get(0).tally().answers().falsePositives());
    }

    @Test
    void whatTakesTheMemoryOfTheFirstIsNotTheFirst() {
        assertThatThrownBy(() -> race(spec(List.of("rival:stacked", "bloom"), "uniform", Map.of(), false)))
                .hasMessageContaining("rival:stacked takes its size from the first kind");
        assertThatThrownBy(() -> spec(List.of("bloom", "rival:stacked:cache=1"), "uniform", Map.of(), false))
                .hasMessageContaining("has no option 'cache'");
        assertThatThrownBy(() -> race(spec(List.of("bloom", "fuse"), "uniform", Map.of(), false).toBuilder()
                        .equalMemory(true)
                        .toSpec()))
                .hasMessageContaining("fuse plans its size by itself");
    }

    static Stream<String> changing() {
        return Stream.concat(
                Filters.kinds().stream().filter(kind -> !kind.isBuiltAtOnce()).map(Kind::name),
                Rivals.names().stream().map(name -> "rival:" + name));
    }

    @ParameterizedTest
    @MethodSource("changing")
    void keysThatComeAreFoundWhileOthersGo(String kind) {
        RaceSpec spec = spec(List.of("quotient", kind), "churn:0.2", Map.of(), false).toBuilder()
                // Those that give no keys up hold 7000 in the end.
                .load(0.4)
                .toSpec();
        Tally tally = race(spec).get(1).tally();
        if (!Filters.kinds().stream().anyMatch(k -> k.name().equals(kind) && k.hasFalseNegatives())) {
            assertThat(tally.answers().falseNegatives()).isZero();
        }
        assertThat(tally.answers().queries()).isEqualTo(20_000);
        assertThat(tally.changes().inserted()).isEqualTo(4_000);
        assertThat(tally.changes().deleted()).isIn(0L, 4_000L);
        if (tally.changes().deleted() > 0) {
            // A tenth of the misses is for keys that have left.
            assertThat(tally.answers().falsePositives()).isLessThan(600);
        } else {
            assertThat(tally.answers().falsePositives()).isGreaterThan(1000);
        }
    }

    @Test
    void aStaticKindHasNoPartInChurn() {
        assertThatThrownBy(() -> race(spec(List.of("fuse"), "churn", Map.of(), false)))
                .hasMessageContaining("fuse takes no keys once it is built");
        assertThatThrownBy(() -> spec(List.of("bloom"), "churn", Map.of(), false).toBuilder()
                        .timing(new Timing(1, false, true, false))
                        .toSpec())
                .hasMessageContaining("no times can be taken after it");
    }

    @Test
    void hitsOfChurnAreForKeysThatAreStoredThen() {
        RaceSpec spec = spec(List.of("quotient"), "churn:1", Map.of(), false).toBuilder()
                .hits(0.5)
                .toSpec();
        Tally.Answers answers = race(spec).get(0).tally().answers();
        assertThat(answers.misses()).isBetween(9_600L, 10_400L);
        assertThat(answers.falseNegatives()).isZero();
    }

    @Test
    void anAdversaryReportsItsLastRound() {
        Map<String, Object> fields = fields(race(spec(List.of("bloom"), "adversary:3", Map.of(), false)));
        assertThat(fields).containsEntry("lastRoundRate", 1.0).containsEntry("falseNegatives", 0L);
        assertThat(fields(race(spec(List.of("bloom"), "uniform", Map.of(), false))))
                .doesNotContainKey("lastRoundRate")
                .containsKeys(
                        "kind",
                        "n",
                        "bitsPerKey",
                        "insertNs",
                        "hitNs",
                        "missNs",
                        "queries",
                        "falsePositives",
                        "falsePositiveRate",
                        "distinctFalsePositives",
                        "repairs",
                        "forgot",
                        "remoteReads",
                        "falseNegatives");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theUsersOwnKeysAndQueriesAreRaced(boolean isolate) {
        RaceSpec spec = RaceSpec.of("peer:fastfilter-xor16", "bloom")
                .fpp(0.0001)
                .keys(KeyList.of("keys", 1, 2, 3, 2))
                .queries(KeyList.of("queries", 3, 3, 4, 5, 1))
                .queries(4)
                .timing(Timing.fresh(1, isolate))
                .toSpec();

        assertThat(race(spec)).hasSize(2).allSatisfy(result -> {
            assertThat(result.n()).isEqualTo(3);
            assertThat(result.tally().answers()).isEqualTo(new Tally.Answers(4, 0, 0, 2, 0));
        });
    }

    @Test
    void nothingIsLeftOfWhatWasWrittenForOtherJvms() {
        SpooledKeys spooled = SpooledKeys.of(KeyList.of("keys", 1, -2, 3), 2);

        List<Long> keys = new ArrayList<>();
        spooled.forEach(keys::add);
        assertThat(keys).containsExactly(1L, -2L);
        assertThat(spooled.path()).hasSize(16);
        spooled.close();
        assertThat(spooled.path()).doesNotExist();
    }

    @Test
    void whatIsWrongIsRefusedByName() {
        assertThatThrownBy(() -> spec(List.of("nope"), "uniform", Map.of(), false))
                .hasMessageContaining("'nope'");
        assertThatThrownBy(() -> spec(List.of("peer:nope"), "uniform", Map.of(), false))
                .hasMessageContaining("'peer:nope'");
        assertThatThrownBy(() -> spec(List.of("bloom"), "nope", Map.of(), false))
                .hasMessageContaining("'nope'");
        assertThatThrownBy(() -> race(spec(List.of("bloom"), "uniform", Map.of("nope", "1"), false)))
                .hasMessageContaining("'nope'");
    }

    @Test
    void aSourceWithoutQueriesIsRefusedBeforeAnythingIsTimed() {
        List<String> steps = new ArrayList<>();
        RaceSpec spec = RaceSpec.of("bloom").queries(KeyList.of("empty")).toSpec();
        assertThatThrownBy(() -> Race.run(spec, steps::add)).hasMessage("empty: no queries");
        assertThat(steps).isEmpty();
    }

    @Test
    void specsSurviveTheWayToAnotherJvm() {
        RaceSpec spec = RaceSpec.of("bloom")
                .n(7)
                .fpp(0.25)
                .load(0.5)
                .workload("zipf:1.5")
                .queries(99)
                .hits(0.125)
                .seed(-3)
                .keys(new SpooledKeys(Path.of("a = b")))
                .options(Map.of("name", "a=b"))
                .timing(new Timing(4, false, false, true))
                .samples(new Samples(
                        Optional.of(new SpooledKeys(Path.of("k"))), Optional.of(new SpooledKeys(Path.of("q = 1")))))
                .equalMemory(true)
                .toSpec();

        RaceSpec parsed = RemoteSpec.parse(RemoteSpec.words(spec, "bloom"));

        assertThat(parsed).usingRecursiveComparison().isEqualTo(spec);
    }

    @Test
    void recordsSurviveTheWayFromAnotherJvmByTheirNames() {
        Tally tally = new Tally(
                new Tally.Answers(1, 2, 3, 4, 5),
                new Tally.Repairs(6, 7, 8, new Tally.StoreCost(9, 12, 13)),
                new Tally.Rounds(10, Double.NaN),
                new Tally.Changes(14, 15),
                11);
        String line = RecordText.write(tally);

        assertThat(line)
                .startsWith("answers.queries=1 answers.falsePositives=2 ")
                .endsWith(" sizeInBits=11");
        assertThat(RecordText.read(line, Tally.class)).isEqualTo(tally);
        assertThatThrownBy(() -> RecordText.read(line.replace("sizeInBits=11", "bits=11"), Tally.class))
                .hasMessageContaining("sizeInBits");
        assertThatThrownBy(() -> RecordText.read(line + " more=1", Tally.class)).hasMessageContaining("more");
        assertThatThrownBy(() -> RecordText.read(line + " sizeInBits=12", Tally.class))
                .hasMessageContaining("sizeInBits=12");
    }

    @Test
    void agedFiltersAreTimedAfterTheQueriesWhichCountOnce() {
        RaceSpec fresh = spec(List.of("telescoping", "quotient"), "zipf:1.2", Map.of(), false);
        List<RaceResult> aged =
                race(fresh.toBuilder().timing(new Timing(2, true, true, false)).toSpec());
        List<RaceResult> untimed = race(fresh);

        assertThat(aged)
                .extracting(RaceResult::tally)
                .isEqualTo(untimed.stream().map(RaceResult::tally).toList());
        assertThat(aged.get(0).tally().repairs().done()).isPositive();
        assertThat(aged)
                .allSatisfy(result ->
                        assertThat(result.times().keys().missNs().median()).isPositive());
    }

    @Test
    void memoryThatRepairsTakeIsCountedAfterTheQueries() {
        RaceSpec spec = spec(List.of("bloom", "telescoping-compact"), "adversary:80", Map.of(), true);
        List<RaceResult> results = race(spec);
        assertThat(results.get(0).bitsPerKeyAfter()).isEqualTo(results.get(0).bitsPerKey());
        assertThat(results.get(1).bitsPerKeyAfter())
                .isGreaterThan(results.get(1).bitsPerKey());
    }

    @Test
    void aJvmWithoutMemoryForItsContenderSaysSo() {
        RaceSpec spec = RaceSpec.of("bloom", "quotient").n(50_000_000).fpp(1e-9).toSpec();
        try (RemoteHeat heat = new RemoteHeat(spec, "quotient", 0, "-Xmx64m")) {
            assertThatThrownBy(heat::prepare)
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessageContaining("quotient");
        }
    }

    @Test
    void anAgedFilterWithoutTimesIsRefused() {
        assertThatThrownBy(() -> new Timing(0, true, true, false)).hasMessageContaining("repeat is 0");
        assertThatThrownBy(() -> new Timing(1, true, true, true)).hasMessageContaining("texts");
    }

    @Test
    void theMedianIsTheOneInTheMiddle() {
        assertThat(Spread.of(List.of(5.0, 1.0, 2.0), x -> x)).isEqualTo(new Spread(2, 1, 5));
        assertThat(Spread.of(List.of(5.0, 1.0, 2.0, 3.0), x -> x)).isEqualTo(new Spread(2.5, 1, 5));
        assertThat(Spread.of(List.of(4.0), x -> x)).isEqualTo(new Spread(4, 4, 4));
        assertThat(Spread.of(List.<Double>of(), x -> x).median()).isNaN();
    }

    @Test
    void freshLoopsAreClassesOfTheirOwn() {
        Loop one = TimingLoop.fresh();
        Loop other = TimingLoop.fresh();
        assertThat(one.getClass()).isNotEqualTo(other.getClass());
        MemoryLimit everything = new MemoryLimit(1 << 16, 1);
        long[] keys = new long[100];
        assertThat(one.single(everything, keys, 10, 70)).isEqualTo(70);
        assertThat(other.bulk(everything, keys, 10, 70, new long[2])).isEqualTo(70);
    }

    @Test
    void storedKeysAreInUnsignedOrder() {
        StoredKeys stored = new StoredKeys(new long[] {-1, 5, 0, Long.MIN_VALUE, 5});
        assertThat(stored.between(0, -1)).containsExactly(0, 5, 5, Long.MIN_VALUE, -1);
        assertThat(stored.between(1, Long.MIN_VALUE)).containsExactly(5, 5, Long.MIN_VALUE);
        assertThat(stored.between(6, 7)).isEmpty();
        assertThat(stored.contains(-1)).isTrue();
        assertThat(stored.contains(1)).isFalse();
    }

    @Test
    void aKeySetTellsNewKeysFromOldOnes() {
        KeySet set = new KeySet();
        for (int pass = 0; pass < 2; pass++) {
            for (long key = -500; key < 500; key++) {
                assertThat(set.add(key)).isEqualTo(pass == 0);
            }
        }
        assertThat(set.size()).isEqualTo(1000);
        for (long key = -500; key < 500; key++) {
            assertThat(set.numberOf(key)).isEqualTo((int) key + 500);
            assertThat(set.find(key)).isEqualTo((int) key + 500);
        }
        assertThat(set.find(500)).isEqualTo(-1);
        assertThat(set.size()).isEqualTo(1000);
    }

    private static RaceSpec timed(List<String> kinds, boolean isolate) {
        return spec(kinds, "uniform", Map.of(), isolate).toBuilder()
                .timing(Timing.fresh(2, isolate))
                .toSpec();
    }

    private static RaceSpec spec(List<String> kinds, String workload, Map<String, String> options, boolean isolate) {
        return RaceSpec.of(kinds)
                .n(3000)
                .workload(workload)
                .queries(20_000)
                .options(options)
                .timing(Timing.fresh(0, isolate))
                .toSpec();
    }

    private static List<RaceResult> race(RaceSpec spec) {
        return Race.run(spec, step -> {});
    }

    private static Map<String, Object> fields(List<RaceResult> results) {
        return results.get(0).fields(results.get(0));
    }
}
