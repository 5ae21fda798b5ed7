package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.bits.Words;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TombstonesTest {

    private static final long CAPACITY = 100_000;

    private final SplittableRandom random = new SplittableRandom(20181008);

    private static int number(int i) {
        return 1 + i % 62;
    }

    /** A table that knows positions, of a filter that no key is in. */
    private static Tombstones of(long[] positions) {
        Tombstones tombstones = new Tombstones(CAPACITY);
        for (int i = 0; i < positions.length; i++) {
            tombstones.put(positions[i], number(i), 0);
        }
        return tombstones;
    }

    private static long most(long capacity, long keys) {
        return 64 * 64 + capacity / 4 + 8 * Math.max(0, capacity - keys);
    }

    @Test
    void numbersAreKnownUntilTheyAreTaken() {
        long[] positions = random.longs(1_000).toArray();
        Tombstones tombstones = of(positions);
        assertThat(tombstones.size()).isEqualTo(positions.length);
        for (int i = 0; i < positions.length; i++) {
            assertThat(tombstones.find(positions[i])).isEqualTo(number(i));
            assertThat(tombstones.take(positions[i], 0)).isEqualTo(number(i));
            assertThat(tombstones.find(positions[i])).isZero();
            assertThat(tombstones.take(positions[i], 0)).isZero();
        }
        assertThat(tombstones.isEmpty()).isTrue();
        assertThat(tombstones.sizeInBits()).isZero();
    }

    @Test
    void ofTwoNumbersOfOnePositionTheNewerIsTakenFirst() {
        Tombstones tombstones = new Tombstones(CAPACITY);
        tombstones.put(0, 5, 0);
        tombstones.put(0, 7, 0);
        assertThat(tombstones.take(0, 0)).isEqualTo(7);
        assertThat(tombstones.take(0, 0)).isEqualTo(5);
    }

    @Test
    void numbersThatDoNotFitAreNotKept() {
        Tombstones tombstones = new Tombstones(CAPACITY);
        tombstones.put(-1, 63, 0);
        tombstones.put(-1, 64, 0);
        assertThat(tombstones.isEmpty()).isTrue();
        assertThat(tombstones.sizeInBits()).isZero();
    }

    @Test
    void whatIsKnownIsSavedAndReadAgain() {
        long[] positions = random.longs(500).toArray();
        Tombstones tombstones = of(positions);
        Tombstones read = Tombstones.read(tombstones.section(), CAPACITY);
        assertThat(read.size()).isEqualTo(500);
        assertThat(read.sizeInBits()).isEqualTo(tombstones.sizeInBits());
        for (int i = 0; i < positions.length; i++) {
            assertThat(read.take(positions[i], 0)).isEqualTo(number(i));
        }
        assertThat(Tombstones.read(new Tombstones(CAPACITY).section(), CAPACITY).isEmpty())
                .isTrue();
    }

    @Test
    void aCopyForgetsNothingThatTheOriginalForgets() {
        long[] positions = random.longs(100).toArray();
        Tombstones tombstones = of(positions);
        Tombstones copy = tombstones.copy(2 * CAPACITY);
        for (int i = 0; i < positions.length; i++) {
            tombstones.take(positions[i], 0);
            assertThat(copy.find(positions[i])).isEqualTo(number(i));
        }
        assertThat(copy.size()).isEqualTo(100);
    }

    @Test
    void tablesThatNobodyWroteAreRefused() {
        long[] section = of(random.longs(20).toArray()).section();
        long[] elsewhere = section.clone();
        for (int i = Words.LEAD, j = section.length - 1; i < j; i++, j--) {
            elsewhere[i] = section[j];
            elsewhere[j] = section[i];
        }
        assertThatThrownBy(() -> Tombstones.read(elsewhere, CAPACITY)).hasMessageContaining("not in its bucket");
        long[] tooLarge = section.clone();
        int used = Words.LEAD;
        while (tooLarge[used] == 0) {
            used++;
        }
        tooLarge[used] |= 63;
        assertThatThrownBy(() -> Tombstones.read(tooLarge, CAPACITY)).hasMessageContaining("not in its bucket");
        assertThatThrownBy(() -> Tombstones.read(Words.allocate(12), CAPACITY)).hasMessageContaining("12 words");
        assertThatThrownBy(() -> Tombstones.read(Words.allocate(16), CAPACITY)).hasMessageContaining("has none");
    }

    @Test
    void theNewestAreKeptWhereThereIsNoRoomForAll() {
        Tombstones tombstones = new Tombstones(CAPACITY);
        long[] positions = random.longs(100_000).toArray();
        for (long position : positions) {
            tombstones.put(position, 3, CAPACITY);
        }
        assertThat(tombstones.sizeInBits()).isLessThanOrEqualTo(most(CAPACITY, CAPACITY));
        assertThat(tombstones.size()).isGreaterThan(240);
        int newest = 0;
        for (int i = positions.length - 50; i < positions.length; i++) {
            newest += tombstones.take(positions[i], CAPACITY) == 3 ? 1 : 0;
        }
        assertThat(newest).isGreaterThan(47);
        assertThat(tombstones.take(positions[0], CAPACITY)).isZero();
    }

    /** Of the keys that are away, two in three had been repaired. */
    @ParameterizedTest
    @ValueSource(ints = {40_000, 70_000, 100_000, 150_000, 200_000, 500_000, 1_000_000})
    void ifOneKeyIn256IsAwayNearlyAllThatWasRepairedIsKnown(int capacity) {
        int away = capacity / 256;
        long[] positions = random.longs(2L * away / 3).toArray();
        Tombstones tombstones = new Tombstones(capacity);
        for (int i = 0; i < positions.length; i++) {
            tombstones.put(positions[i], number(i), capacity - i);
        }
        assertThat(tombstones.sizeInBits()).isLessThanOrEqualTo(most(capacity, capacity - positions.length));
        assertThat(positions.length - tombstones.size()).as("lost").isLessThanOrEqualTo(positions.length / 500);
    }

    @Test
    void tablesThatAreTakenOverHoldTheSameHoweverManyBucketsTheyHave() {
        Tombstones tombstones = new Tombstones(CAPACITY);
        for (int i = 0; i < 2_000; i++) {
            tombstones.put(random.nextLong(), number(i), 0);
            long[] section = tombstones.section();
            assertThat(Tombstones.read(section, CAPACITY).section()).isEqualTo(section);
        }
        assertThat(tombstones.size()).isEqualTo(2_000);
    }

    @Test
    void memoryIsGivenUpAsTheFilterFillsAndTheNewestStay() {
        long[] positions = random.longs(3_000).toArray();
        Tombstones tombstones = of(positions);
        assertThat(tombstones.size()).isGreaterThan(2_900);
        long before = tombstones.sizeInBits();
        for (long keys = 0; keys <= CAPACITY; keys += 1_000) {
            tombstones.take(random.nextLong(), keys);
            assertThat(tombstones.sizeInBits()).isLessThanOrEqualTo(most(CAPACITY, keys));
        }
        assertThat(tombstones.sizeInBits()).isLessThan(before / 8).isPositive();
        int newer = 0;
        int older = 0;
        for (int i = 0; i < positions.length / 2; i++) {
            older += tombstones.find(positions[i]) == number(i) ? 1 : 0;
            newer += tombstones.find(positions[positions.length - 1 - i]) == number(positions.length - 1 - i) ? 1 : 0;
        }
        assertThat(newer + older).isEqualTo(tombstones.size()).isGreaterThan(240);
        assertThat(newer).isGreaterThan(2 * older);
    }
}
