package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What adaptive filters promise: rates, space, repairs that hold, refusal of damaged images. */
class TaggedFilterTest {

    private static final int CAPACITY = 15_564;
    private static final double LOAD = 0.95;

    /** A kind, and the code that packs its tags. */
    private record Form(String kind, String code) {

        static Form ofOneCode(String kind) {
            return new Form(kind, "");
        }
    }

    static Stream<Form> forms() {
        return Stream.of(
                new Form("telescoping-compact", "enumerative"),
                new Form("telescoping-compact", "shift"),
                new Form("telescoping-compact", "general"),
                new Form("extension", "bitmap"),
                new Form("extension", "enumerative"),
                new Form("extension", "arithmetic"));
    }

    static Stream<Form> allForms() {
        return Stream.concat(forms(), Stream.of(Form.ofOneCode("telescoping"), Form.ofOneCode("telescoping-plain")));
    }

    private static TaggedFilter make(Form form, int capacity, int remainderBits, StoredHashes stored) {
        FilterSpec spec = FilterSpec.of(capacity, 0.01)
                .with("load", Double.toString(LOAD))
                .with("remainderBits", Integer.toString(remainderBits));
        return (TaggedFilter)
                Filters.kind(form.kind).make(form.code.isEmpty() ? spec : spec.with("code", form.code), stored);
    }

    private static TaggedFilter filled(Form form, SortedHashes stored, int capacity, long seed) {
        TaggedFilter filter = make(form, capacity, 8, stored);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < capacity; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            filter.insertHash(hash);
        }
        return filter;
    }

    private static TaggedFilter read(FilterImage image, StoredHashes stored) {
        return (TaggedFilter) Filters.kind(image.kind()).read(image, stored);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("forms")
    void spaceAndRateAreAsStated(Form form) {
        int capacity = 62_259;
        TaggedFilter filter = filled(form, new SortedHashes(), capacity, 0x71);
        // (8 + 3.125) / 0.95, with a bitmap (8 + 4.125) / 0.95, spare slots and the spill's empty directory.
        double least = form.code.equals("bitmap") ? 12.76 : 11.71;
        assertThat((double) filter.sizeInBits() / capacity).isBetween(least, least + 0.09);
        SplittableRandom random = new SplittableRandom(0x72);
        int queried = 400_000;
        long[] queries = random.longs(queried).toArray();
        long[] answers = new long[queried / 64];
        filter.mightContainHashes(queries, 0, queried, answers);
        int positives = 0;
        for (int i = 0; i < queried; i++) {
            boolean maybe = filter.mightContainHash(queries[i]);
            assertThat((answers[i >>> 6] >>> i & 1) != 0).isEqualTo(maybe);
            positives += maybe ? 1 : 0;
        }
        double expected = filter.expectedFpp() * queried;
        assertThat(filter.expectedFpp()).isLessThan(LOAD / 256);
        assertThat((double) positives)
                .isBetween(expected - 5.5 * Math.sqrt(expected), expected + 5.5 * Math.sqrt(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "telescoping-compact, enumerative, 20, 0.0001",
        "telescoping-compact, enumerative, 50, 0.001",
        "telescoping-compact, shift, 20, 0.0001",
        "telescoping-compact, general, 20, 0.0001",
        "extension, bitmap, 10, 0.0001",
        "extension, bitmap, 30, 0.005",
        "extension, enumerative, 10, 0.001",
        "extension, arithmetic, 10, 0.01"
    })
    void anAdversaryWhoRepeatsFalsePositivesGetsNoMore(String kind, String code, int queriesPerKey, double most) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = filled(new Form(kind, code), stored, CAPACITY, 0x73);
        SplittableRandom random = new SplittableRandom(0x74);
        List<Long> wrong = new ArrayList<>();
        for (int i = 0; i < queriesPerKey * CAPACITY; i++) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                wrong.add(query);
                assertThat(filter.repairHash(query)).isNotEqualTo(Adaptation.INSEPARABLE);
                assertThat(filter.mightContainHash(query)).isFalse();
            }
        }
        // Repairs of some undo those of others; after a few rounds nearly all hold at once.
        for (int round = 0; round < 3; round++) {
            repairAll(filter, wrong);
        }
        assertThat((double) repairAll(filter, wrong) / wrong.size()).isLessThanOrEqualTo(most);
        for (int i = 0; i < stored.size(); i++) {
            assertThat(filter.mightContainHash(stored.at(i))).isTrue();
        }
        filter.checkInvariants();
        assertThat(filter.tagStatistics().histogram().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(CAPACITY);
        assertThat(filter.adaptationStatistics().repairs()).isGreaterThanOrEqualTo(wrong.size());
    }

    private static int repairAll(TaggedFilter filter, List<Long> queries) {
        int positives = 0;
        for (long query : queries) {
            if (filter.mightContainHash(query)) {
                positives++;
                filter.repairHash(query);
            }
        }
        return positives;
    }

    @ParameterizedTest
    @MethodSource("allForms")
    void aStoredHashIsInseparableFromItself(Form form) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = make(form, 10, 4, stored);
        for (long hash : new long[] {0, -1L, 42}) {
            stored.add(hash);
            filter.insertHash(hash);
            assertThat(filter.repairHash(hash)).isEqualTo(Adaptation.INSEPARABLE);
            assertThat(filter.mightContainHash(hash)).isTrue();
            assertThat(filter.deleteHash(hash)).isTrue();
            stored.remove(hash);
            assertThat(filter.mightContainHash(hash)).isFalse();
        }
        assertThat(filter.adaptationStatistics().inseparable()).isEqualTo(3);
        filter.checkInvariants();
    }

    @ParameterizedTest
    @MethodSource("allForms")
    void aHashThatOnlyLooksPresentIsNotDeleted(Form form) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = filled(form, stored, 400, 0x75);
        SplittableRandom random = new SplittableRandom(0x76);
        int lookedPresent = 0;
        for (int i = 0; i < 100_000; i++) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                lookedPresent++;
                assertThat(filter.deleteHash(query)).isFalse();
            }
        }
        assertThat(lookedPresent).isPositive();
        assertThat(filter.count()).isEqualTo(400);
    }

    @ParameterizedTest
    @MethodSource("allForms")
    void aKeyThatIsNotStoredYetSurvivesTheDeletionOfARepairedOneWithTheSameFingerprint(Form form) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = make(form, 10, 4, stored);
        SplittableRandom random = new SplittableRandom(0x79);
        long key = random.nextLong();
        stored.add(key);
        filter.insertHash(key);
        assertThat(filter.repairHash(another(key, filter, random))).isEqualTo(Adaptation.FIXED);
        long underWay = key;
        while (underWay == key || filter.mightContainHash(underWay) || !hasFirstFingerprintOf(key, underWay, filter)) {
            underWay = random.nextLong();
        }
        filter.insertHash(underWay);
        filter.deleteHash(key);
        assertThat(filter.mightContainHash(underWay)).isTrue();
        stored.add(underWay);
        stored.remove(key);
        filter.checkInvariants();
        assertThat(filter.mightContainHash(underWay)).isTrue();
    }

    /** A hash that a filter takes for the only key in it. */
    private static long another(long key, TaggedFilter filter, SplittableRandom random) {
        long query = random.nextLong();
        while (query == key || !filter.mightContainHash(query)) {
            query = random.nextLong();
        }
        return query;
    }

    private static boolean hasFirstFingerprintOf(long key, long other, TaggedFilter filter) {
        return filter.keys.quotient(other) == filter.keys.quotient(key)
                && filter.keys.remainder(other) == filter.keys.remainder(key);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void aDamagedImageIsRefusedOrIsAnotherSoundFilter(Form form) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = filled(form, stored, 500, 0x77);
        SplittableRandom random = new SplittableRandom(0x78);
        for (int i = 0; i < 40_000; i++) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                filter.repairHash(query);
            }
        }
        FilterImage image = filter.image();
        assertThat(read(Images.copy(image), stored).count()).isEqualTo(500);
        int refused = 0;
        for (int round = 0; round < 2_000; round++) {
            FilterImage damaged = Images.copy(image);
            List<long[]> sections = damaged.sections().stream()
                    .filter(section -> Words.count(section) > 0)
                    .toList();
            long[] section = sections.get(random.nextInt(sections.size()));
            section[Words.LEAD + random.nextInt(Words.count(section))] ^= 1L << random.nextInt(64);
            try {
                read(damaged, stored).checkInvariants();
            } catch (MalformedFilterException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(200);
        for (int index = 0; index < image.parameterCount(); index++) {
            for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                long[] parameters = Images.parameters(image);
                parameters[index] = value;
                // The seed, parameter 3, may be anything.
                if (index != 3) {
                    assertThatThrownBy(() -> read(
                                    new FilterImage(
                                            image.kind(),
                                            parameters,
                                            Images.copy(image).sections()),
                                    stored))
                            .isInstanceOf(MalformedFilterException.class);
                }
            }
        }
        assertThatThrownBy(() -> read(
                        new FilterImage(
                                image.kind(),
                                Images.parameters(image),
                                Images.copy(image).sections().subList(0, 2)),
                        stored))
                .isInstanceOf(MalformedFilterException.class);
    }
}
