package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackYardTest {

    private static int placeOf(BackYard yard, long quotientCount, long hash) {
        long plot = BackYard.plotOf(Math.multiplyHigh(hash >>> 1, quotientCount << 1));
        for (int i = 0; i < yard.placeCount(plot); i++) {
            int place = yard.place(plot, i);
            if (yard.isUsed(place) && yard.hash(place) == hash) {
                return place;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @CsvSource({"4, 90", "7, 1000", "40, 100000"})
    void itIsAMultisetOfHashesThatRefusesWhatHasNoRoom(int buckets, long quotientCount) {
        SplittableRandom random = new SplittableRandom(buckets * quotientCount);
        BackYard yard = new BackYard(buckets, quotientCount);
        List<Long> model = new ArrayList<>();
        int refused = 0;
        for (int step = 0; step < 40_000; step++) {
            boolean fills = (step / 500 & 1) == 0;
            if (random.nextInt(10) < (fills ? 8 : 3)) {
                long hash = random.nextInt(20) == 0 ? random.nextInt(2) : random.nextLong();
                if (yard.hasRoom(hash)) {
                    yard.add(hash);
                    model.add(hash);
                } else {
                    refused++;
                }
            } else if (!model.isEmpty()) {
                long hash = model.remove(random.nextInt(model.size()));
                yard.removeAt(placeOf(yard, quotientCount, hash));
                assertThat(yard.contains(hash)).isEqualTo(model.contains(hash));
            }
            if (step % 50 == 0) {
                assertThat(yard.size()).isEqualTo(model.size());
                model.forEach(hash -> assertThat(yard.contains(hash)).isTrue());
                for (int place = 0; place < yard.placeCount(); place++) {
                    if (yard.isUsed(place)) {
                        yard.check(place);
                    }
                }
            }
        }
        assertThat(refused).as("hashes without a place").isPositive();
    }

    @Test
    void aFullYardBecomesLargerAndKeepsAllItsHashes() {
        SplittableRandom random = new SplittableRandom(31);
        BackYard yard = new BackYard(40, 100_000);
        List<Long> model = new ArrayList<>();
        while (model.size() < 5_000) {
            long hash = model.size() == 77 ? 0 : random.nextLong();
            if (!yard.hasRoom(hash)) {
                BackYard larger = yard.larger();
                assertThat(larger.placeCount()).isEqualTo(2 * yard.placeCount());
                yard = BackYard.read(40, 100_000, larger.words);
            }
            yard.add(hash);
            model.add(hash);
        }
        assertThat(yard.size()).isEqualTo(model.size());
        assertThat(model).allMatch(yard::contains);
    }

    @Test
    void copiesOfOneHashDoNotMakeAYardLarger() {
        BackYard yard = new BackYard(40, 100_000);
        while (yard.hasRoom(5)) {
            yard.add(5);
        }
        assertThat(yard.larger()).isSameAs(yard);
    }

    @Test
    void theHashZeroIsCounted() {
        BackYard yard = new BackYard(4, 100);
        assertThat(yard.contains(0)).isFalse();
        yard.add(0);
        yard.add(0);
        yard.removeAt(placeOf(yard, 100, 0));
        assertThat(yard.contains(0)).isTrue();
        assertThat(yard.size()).isEqualTo(1);
        yard.removeAt(placeOf(yard, 100, 0));
        assertThat(yard.contains(0)).isFalse();
    }

    /** Far beyond what the filter is planned for bins send whole bursts to the same buckets; that is the worst case. */
    @Tag("slow")
    @Test
    void twoMovesAreEnoughAtThePlannedLoad() {
        SplittableRandom random = new SplittableRandom(88);
        for (int round = 0; round < 60; round++) {
            BroomFilter filter = BroomFilter.make(FilterSpec.of(2_000, 1e-6), StoredHashes.none());
            BackYard yard = ((YardTable) filter.table).back;
            while (((YardTable) filter.table).back == yard) {
                filter.insertHash(random.nextLong());
            }
            assertThat((double) yard.size() / yard.placeCount()).isGreaterThan(0.85);
        }
    }
}
