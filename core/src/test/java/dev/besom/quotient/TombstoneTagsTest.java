package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.adaptive.Tombstones;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters with tags remember of keys that are deleted, and what becomes of it. */
class TombstoneTagsTest {

    private static final int CAPACITY = 5_000;
    private static final int MISTAKES = 300;

    private final SplittableRandom random = new SplittableRandom(20211007);
    private final SortedHashes stored = new SortedHashes();

    private TaggedFilter filled(String kind) {
        return filled(kind, CAPACITY);
    }

    private TaggedFilter filled(String kind, int capacity) {
        TaggedFilter filter = (TaggedFilter) Filters.kind(kind).make(FilterSpec.of(capacity, 1 / 64.0), stored);
        for (long key : random.longs(capacity).toArray()) {
            insert(filter, key);
        }
        return filter;
    }

    private long[] keys() {
        return stored.between(0, -1L);
    }

    private void insert(TaggedFilter filter, long key) {
        filter.insertHash(key);
        stored.add(key);
    }

    private void delete(TaggedFilter filter, long key) {
        stored.remove(key);
        assertThat(filter.deleteHash(key)).isTrue();
    }

    /** Queries until so many answers were wrong, repairs, and returns those queries. */
    private List<Long> repaired(TaggedFilter filter, int count) {
        List<Long> mistaken = new ArrayList<>();
        while (mistaken.size() < count) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                filter.repairHash(query);
                mistaken.add(query);
            }
        }
        return mistaken;
    }

    /** Queries that were answered wrongly once, and are not any more. */
    private List<Long> mistakes(TaggedFilter filter) {
        List<Long> mistaken = repaired(filter, MISTAKES);
        // A later repair may have undone an earlier one.
        mistaken.removeIf(filter::mightContainHash);
        assertThat(mistaken).hasSizeGreaterThan(MISTAKES - 20);
        return mistaken;
    }

    private static long stillWrong(TaggedFilter filter, List<Long> mistaken) {
        return mistaken.stream().filter(filter::mightContainHash).count();
    }

    private static void assertAllFound(TaggedFilter filter, long[] keys) {
        filter.checkInvariants();
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
    }

    private static TaggedFilter saveAndLoad(TaggedFilter filter, SortedHashes stored) {
        FilterImage image = Images.copy(filter.image());
        return (TaggedFilter) Filters.kind(image.kind()).read(image, stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void aKeyThatComesBackIsNotMistakenForWhatItWasToldFrom(String kind) {
        TaggedFilter filter = filled(kind);
        List<Long> mistaken = mistakes(filter);
        long[] keys = keys();
        for (long key : keys) {
            delete(filter, key);
            insert(filter, key);
        }
        assertThat(stillWrong(filter, mistaken)).isLessThan(3);
        assertThat(filter.tagStatistics().tombstones()).isZero();
        assertThat(Words.count(Images.section(filter.image(), "tombstones"))).isZero();
        assertAllFound(filter, keys);
    }

    /** The memory has room for them, but not each of its buckets. */
    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void nearlyAllIsRememberedWhereHalfOfTheKeysLeaveAtOnceThroughAFileToo(String kind) {
        TaggedFilter filter = filled(kind);
        List<Long> mistaken = mistakes(filter);
        long[] keys = keys();
        for (int half = 0; half < 2; half++) {
            for (int i = half; i < keys.length; i += 2) {
                delete(filter, keys[i]);
            }
            assertThat(filter.tagStatistics().tombstones()).isBetween(100, MISTAKES);
            assertThat(Words.count(Images.section(filter.image(), "tombstones")))
                    .isPositive();
            filter = saveAndLoad(filter, stored);
            for (int i = half; i < keys.length; i += 2) {
                insert(filter, keys[i]);
            }
        }
        assertThat(stillWrong(filter, mistaken)).isLessThan(MISTAKES / 10);
        assertAllFound(filter, keys);
    }

    /** Nine repairs for ten keys: some blocks are full, and so is the spill. */
    @Test
    void aFilterFullOfRepairsKeepsThemWhereOneKeyIn256IsAwayAtATime() {
        int capacity = 40_000;
        TaggedFilter filter = filled("telescoping", capacity);
        List<Long> mistaken = repaired(filter, 9 * capacity / 10);
        mistaken.removeIf(filter::mightContainHash);
        long givenUp = filter.tagStatistics().forgotten();
        assertThat(givenUp).isPositive();
        long[] keys = keys();
        for (int first = 0; first < 256; first++) {
            for (int i = first; i < capacity; i += 256) {
                delete(filter, keys[i]);
            }
            for (int i = first; i < capacity; i += 256) {
                insert(filter, keys[i]);
            }
        }
        assertThat(filter.tagStatistics().forgotten() - givenUp).isLessThan(100);
        assertThat(stillWrong(filter, mistaken)).isLessThan(mistaken.size() / 256);
        assertAllFound(filter, keys);
    }

    @Test
    void withoutThatMemoryNearlyAllWouldBeWrongAgain() {
        TaggedFilter filter = filled("telescoping");
        List<Long> mistaken = mistakes(filter);
        for (long key : keys()) {
            delete(filter, key);
            filter.tombstones = new Tombstones(CAPACITY);
            insert(filter, key);
        }
        assertThat(stillWrong(filter, mistaken)).isGreaterThan(mistaken.size() - 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "extension"})
    void growthInPiecesTakesAlongWhatIsKnownOfKeysThatAreAway(String kind) {
        TaggedFilter filter = filled(kind);
        List<Long> mistaken = mistakes(filter);
        long[] keys = keys();
        // A sixth of the keys leaves before growth, a sixth while it goes on. Half of either comes back during growth.
        for (int i = 0; i < keys.length; i += 6) {
            delete(filter, keys[i]);
        }
        TagGrowth growth = new TagGrowth(filter, CAPACITY + CAPACITY / 2);
        for (int third = 0; third < 3; third++) {
            growth.move(filter.keys.slotCount() / 3);
            for (int i = 6 * third; i < keys.length; i += 18) {
                delete(filter, keys[i + 1]);
                growth.deleteHash(keys[i + 1]);
                int back = third == 0 ? i + 1 : i;
                insert(filter, keys[back]);
                growth.insertHash(keys[back]);
            }
        }
        growth.move(filter.keys.slotCount());
        assertThat(growth.isComplete()).isTrue();
        TaggedFilter grown = growth.next();
        for (long key : keys) {
            if (!stored.contains(key)) {
                insert(grown, key);
            }
        }
        // Pairs of a key and a query that did not share a quotient before are new to each other.
        assertThat(stillWrong(grown, mistaken)).isLessThan(MISTAKES / 10);
        assertAllFound(grown, keys);
    }

    @Test
    void aFilterThatIsBuiltAnewKnowsNothingOfDeletedKeys() {
        TaggedFilter filter = filled("telescoping");
        mistakes(filter);
        for (long key : keys()) {
            delete(filter, key);
        }
        assertThat(filter.tagStatistics().tombstones()).isPositive();
        assertThat(filter.grown(CAPACITY, stored).tagStatistics().tombstones()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "extension"})
    void theMemoryStaysWithinItsBoundWhateverLeavesAndComes(String kind) {
        TaggedFilter filter = filled(kind);
        long empty = filter.sizeInBits() - filter.tags.spillInBits();
        for (int round = 0; round < 4; round++) {
            repaired(filter, 4 * MISTAKES);
            for (long key : keys()) {
                if (random.nextInt(4) > 0) {
                    delete(filter, key);
                    assertBounded(filter, empty);
                }
            }
            assertThat(filter.tagStatistics().tombstones()).isGreaterThan(CAPACITY / 32);
            while (filter.count() < CAPACITY) {
                insert(filter, random.nextLong());
                assertBounded(filter, empty);
            }
        }
    }

    private static void assertBounded(TaggedFilter filter, long empty) {
        long most = 64 * 64 + CAPACITY / 4 + 8 * (CAPACITY - filter.count());
        assertThat(filter.sizeInBits() - filter.tags.spillInBits() - empty).isBetween(0L, most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "extension"})
    void aSectionOfTombstonesThatNoFilterWroteIsRefused(String kind) {
        TaggedFilter filter = filled(kind);
        mistakes(filter);
        for (long key : keys()) {
            delete(filter, key);
        }
        FilterImage image = filter.image();
        long[] section = Images.section(image, "tombstones");
        assertThat(Images.section(saveAndLoad(filter, stored).image(), "tombstones"))
                .isEqualTo(section);
        assertRefused(image, Words.allocate(8));
        assertRefused(image, Words.allocate(12));
        for (int word = Words.LEAD; word < section.length; word++) {
            if (section[word] != 0) {
                long[] changed = section.clone();
                // Of numbers and of last bits one cannot tell, of a position's bucket one can.
                changed[word] = 0;
                boolean isLast = word + 1 == section.length || section[word + 1] == 0;
                boolean endsBucket = (word - Words.LEAD) % 8 == 7;
                if (!isLast && !endsBucket) {
                    assertRefused(image, changed);
                }
                changed[word] = section[word] | 63;
                assertRefused(image, changed);
                changed[word] = section[word] & ~63L;
                assertRefused(image, changed);
            }
        }
        List<long[]> more = new ArrayList<>(image.sections());
        more.add(Words.allocate(1));
        assertThatThrownBy(() -> Filters.kind(kind).read(new FilterImage(kind, Images.parameters(image), more), stored))
                .isInstanceOf(MalformedFilterException.class);
    }

    private void assertRefused(FilterImage image, long[] section) {
        List<long[]> sections = new ArrayList<>(Images.copy(image).sections());
        sections.set(Images.sectionIndex(image.kind(), "tombstones"), section);
        FilterImage changed = new FilterImage(image.kind(), Images.parameters(image), sections);
        assertThatThrownBy(() -> Filters.kind(image.kind()).read(changed, stored))
                .isInstanceOf(MalformedFilterException.class);
    }
}
