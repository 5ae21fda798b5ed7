package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.IncrementalGrowth;
import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.Seeds;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashes that are inserted again and again: each further copy costs a counter, and every copy counts. */
@Tag("slow")
class RepeatedInsertsTest {

    private static final long REPEATED = 0x123456789abcdefL;
    /** More than 16 bits can count. */
    private static final int MANY = Seeds.repetitions(70_000, 1_000_000);

    private static final int OTHERS = 80;

    private final SortedHashes stored = new SortedHashes();
    private final SplittableRandom random = new SplittableRandom(20170514);

    private DeletableFilter make(String kind, int capacity, double fpp) {
        return (DeletableFilter) Filters.kind(kind).make(FilterSpec.of(capacity, fpp), stored);
    }

    private DeletableFilter saveAndLoad(DeletableFilter filter) {
        FilterImage image = Images.copy(((PersistentFilter) filter).image());
        return (DeletableFilter) Filters.kind(image.kind()).read(image, stored);
    }

    private static void checkInvariants(DeletableFilter filter) {
        if (filter instanceof TaggedFilter tagged) {
            tagged.checkInvariants();
        } else {
            ((QuotientFilter) filter).checkInvariants();
        }
    }

    private long[] insertOthers(DeletableFilter filter) {
        long[] others = random.longs(OTHERS).toArray();
        for (long other : others) {
            filter.insertHash(other);
            stored.add(other);
        }
        return others;
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void manyCopiesOfOneHashTakeACounterAndAreDeletedOneByOne(String kind) {
        DeletableFilter filter = make(kind, 100, 1 / 64.0);
        long[] others = insertOthers(filter);
        long size = filter.sizeInBits();
        stored.add(REPEATED);
        assertThat(filter.insertHash(REPEATED)).isTrue();
        int newOnes = 0;
        for (int i = 1; i < MANY; i++) {
            newOnes += filter.insertHash(REPEATED) ? 1 : 0;
        }
        assertThat(newOnes).isZero();
        assertThat(filter.count()).isEqualTo(MANY + OTHERS);
        assertThat(filter.sizeInBits()).isLessThanOrEqualTo(size + 8 * 64);
        checkInvariants(filter);
        filter = saveAndLoad(filter);
        assertThat(filter.count()).isEqualTo(MANY + OTHERS);
        int deleted = 0;
        for (int i = 0; i < MANY; i++) {
            deleted += filter.mightContainHash(REPEATED) && filter.deleteHash(REPEATED) ? 1 : 0;
        }
        assertThat(deleted).isEqualTo(MANY);
        assertThat(filter.deleteHash(REPEATED)).isFalse();
        assertThat(filter.mightContainHash(REPEATED)).isFalse();
        assertThat(filter.count()).isEqualTo(OTHERS);
        for (long other : others) {
            assertThat(filter.mightContainHash(other)).isTrue();
        }
        checkInvariants(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void copiesSurviveGrowth(String kind) {
        DeletableFilter filter = make(kind, 100, 1 / 64.0);
        long[] others = insertOthers(filter);
        for (int i = 0; i < 1_000; i++) {
            filter.insertHash(REPEATED);
            stored.add(REPEATED);
        }
        List<DeletableFilter> grown = new ArrayList<>();
        grown.add((DeletableFilter) ((GrowableFilter) filter).grown(150, stored));
        if (filter instanceof TaggedFilter tagged) {
            tagged.repairHash(collision(tagged));
            IncrementalGrowth growth = tagged.growth(150);
            while (!growth.isComplete()) {
                growth.move(7);
            }
            grown.add(growth.next());
        }
        for (DeletableFilter each : grown) {
            assertThat(each.count()).isEqualTo(1_000 + OTHERS);
            checkInvariants(each);
            for (long other : others) {
                assertThat(each.mightContainHash(other)).isTrue();
            }
            for (int i = 0; i < 1_000; i++) {
                assertThat(each.mightContainHash(REPEATED)).isTrue();
                assertThat(each.deleteHash(REPEATED)).isTrue();
                stored.remove(REPEATED);
            }
            assertThat(each.count()).isEqualTo(OTHERS);
            for (int i = 0; i < 1_000; i++) {
                stored.add(REPEATED);
            }
        }
    }

    /** A hash of the repeated one's quotient that is a false positive and no stored hash. */
    private long collision(TaggedFilter filter) {
        long query = filter.keys.firstHash(filter.keys.quotient(REPEATED));
        while (query == REPEATED || !filter.mightContainHash(query)) {
            query++;
        }
        return query;
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void aRepairTellsAQueryFromAllCopiesOfAHash(String kind) {
        AdaptiveFilter filter = (AdaptiveFilter) make(kind, 100, 1 / 64.0);
        for (int i = 0; i < 1_000; i++) {
            filter.insertHash(REPEATED);
            stored.add(REPEATED);
        }
        List<Long> repaired = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            long query = collision((TaggedFilter) filter);
            assertThat(filter.repairHash(query)).isNotEqualTo(Adaptation.INSEPARABLE);
            assertThat(filter.mightContainHash(query)).isFalse();
            repaired.add(query);
            checkInvariants(filter);
            filter = (AdaptiveFilter) saveAndLoad(filter);
        }
        assertThat(filter.count()).isEqualTo(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(filter.mightContainHash(REPEATED)).isTrue();
            assertThat(filter.deleteHash(REPEATED)).isTrue();
            stored.remove(REPEATED);
        }
        assertThat(filter.count()).isZero();
        for (long query : repaired) {
            assertThat(filter.mightContainHash(query)).isFalse();
        }
    }

    @Test
    void copiesAreAddedUpWhenFiltersMerge() {
        QuotientFilter a = (QuotientFilter) make("quotient", 200, 0.01);
        QuotientFilter b = (QuotientFilter) make("quotient", 200, 0.01);
        Map<Long, Integer> expected = new HashMap<>();
        long[] hashes = {0, -1, REPEATED, 77};
        int[] inA = {3, 500, 40, 0};
        int[] inB = {20, 2, 60, 90};
        for (int i = 0; i < hashes.length; i++) {
            expected.put(hashes[i], inA[i] + inB[i]);
            for (int copy = 0; copy < inA[i]; copy++) {
                a.insertHash(hashes[i]);
            }
            for (int copy = 0; copy < inB[i]; copy++) {
                b.insertHash(hashes[i]);
            }
        }
        a.mergeFrom(b);
        a.checkInvariants();
        expected.forEach((hash, copies) -> assertThat(a.countOfHash(hash)).isEqualTo(copies.longValue()));
        Map<Long, Integer> listed = new HashMap<>();
        a.forEachFingerprint((quotient, remainder) -> listed.merge(quotient, 1, Integer::sum));
        assertThat(listed.values().stream().mapToInt(each -> each).sum())
                .isEqualTo(715)
                .isEqualTo((int) a.count());
        expected.forEach((hash, copies) -> {
            for (int copy = 0; copy < copies; copy++) {
                assertThat(a.deleteHash(hash)).isTrue();
            }
        });
        assertThat(a.count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "quotient, 6",
        "quotient, 1",
        "telescoping, 4",
        "telescoping, 1",
        "telescoping-plain, 4",
        "telescoping-compact, 4",
        "extension, 4"
    })
    void noCopyIsEverLostWhateverHappens(String kind, int bits) {
        FilterSpec spec = FilterSpec.of(120, 0.3).with("remainderBits", Integer.toString(bits));
        DeletableFilter filter = (DeletableFilter) Filters.kind(kind).make(spec, stored);
        long[] few = random.longs(12).toArray();
        int[] copies = new int[few.length];
        long total = 0;
        int shared = 0;
        for (int step = 0; step < 6_000; step++) {
            int which = random.nextInt(few.length);
            int what = random.nextInt(100);
            if (what < 55 && total < 900) {
                filter.insertHash(few[which]);
                stored.add(few[which]);
                copies[which]++;
                total++;
            } else if (what < 90 && copies[which] > 0) {
                assertThat(filter.deleteHash(few[which])).isTrue();
                stored.remove(few[which]);
                copies[which]--;
                total--;
            } else if (what < 98 && filter instanceof AdaptiveFilter adaptive) {
                long query = few[which] + random.nextInt(1, 1_000_000);
                if (adaptive.mightContainHash(query)) {
                    adaptive.repairHash(query);
                }
            } else if (what == 98) {
                filter = saveAndLoad(filter);
            }
            assertThat(filter.count()).isEqualTo(total);
            shared = Math.max(shared, Words.count(Images.section(((PersistentFilter) filter).image(), "shared")));
            for (int i = 0; i < few.length; i++) {
                assertThat(copies[i] == 0 || filter.mightContainHash(few[i])).isTrue();
            }
            if (step % 20 == 0) {
                checkInvariants(filter);
            }
        }
        assertThat(shared).isGreaterThan(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "extension"})
    void copiesThatNoFilterCountedAreRefused(String kind) {
        DeletableFilter filter = make(kind, 100, 1 / 64.0);
        for (int i = 0; i < 20; i++) {
            filter.insertHash(REPEATED);
        }
        FilterImage image = ((PersistentFilter) filter).image();
        long[] section = Images.section(image, "shared");
        assertThat(Words.count(section)).isEqualTo(2);
        long counted = section[Words.LEAD + 1];
        assertThat(counted).isBetween(12L, 18L);
        for (long copies : new long[] {0, -1, counted - 1, counted + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertRefused(image, words(section[Words.LEAD], copies));
        }
        assertRefused(image, words(section[Words.LEAD] + (1L << 40), counted));
        assertRefused(image, words(section[Words.LEAD]));
        assertRefused(image, words(section[Words.LEAD], 6, section[Words.LEAD], 6));
        assertRefused(image, words());
    }

    private static long[] words(long... words) {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        return section;
    }

    private void assertRefused(FilterImage image, long[] section) {
        List<long[]> sections = new ArrayList<>(Images.copy(image).sections());
        sections.set(Images.sectionIndex(image.kind(), "shared"), section);
        FilterImage changed = new FilterImage(image.kind(), Images.parameters(image), sections);
        assertThatThrownBy(() -> Filters.kind(image.kind()).read(changed, stored))
                .isInstanceOf(MalformedFilterException.class);
    }
}
