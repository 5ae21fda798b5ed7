package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.stored.MemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DLeftFilterTest {

    private static DLeftFilter plain(FilterSpec spec) {
        return DLeftFilter.make(spec, DLeftCells.PLAIN);
    }

    private static DLeftFilter counting(FilterSpec spec) {
        return DLeftFilter.make(spec, DLeftCells.COUNTING);
    }

    /** With fingerprints of a few bits, keys match each other's cells all the time. */
    @Test
    void noOrderOfInsertsAndDeletesLosesAKey() {
        for (double fpp : new double[] {0.9, 0.5, 0.1}) {
            for (DLeftFilter filter : List.of(plain(FilterSpec.of(300, fpp)), counting(FilterSpec.of(300, fpp)))) {
                SplittableRandom random = new SplittableRandom(41);
                List<Long> keys = new ArrayList<>();
                for (int step = 0; step < 6_000; step++) {
                    if (keys.size() < 150 + step / 20 % 150) {
                        long key = random.nextInt(600);
                        filter.insertHash(key);
                        keys.add(key);
                    } else {
                        long key = keys.remove(random.nextInt(keys.size()));
                        assertThat(filter.deleteHash(key)).isTrue();
                    }
                    assertThat(filter.count()).isEqualTo(keys.size());
                    if (step % 20 == 0) {
                        assertThat(keys).allMatch(filter::mightContainHash);
                    }
                }
            }
        }
    }

    @Test
    void equalKeysShareCellsOfTheCountingKindOnly() {
        DLeftFilter plain = plain(FilterSpec.of(1_000, 0.01));
        DLeftFilter counting = counting(FilterSpec.of(1_000, 0.01));
        for (int i = 0; i < 32; i++) {
            plain.insertHash(7);
        }
        assertThatThrownBy(() -> plain.insertHash(7)).isInstanceOf(FilterFullException.class);
        assertThat(plain.count()).isEqualTo(32);
        for (int i = 0; i < 3 * 32; i++) {
            counting.insertHash(7);
        }
        assertThatThrownBy(() -> counting.insertHash(7)).isInstanceOf(FilterFullException.class);
        assertThat(counting.count()).isEqualTo(96);
        for (int i = 0; i < 96; i++) {
            assertThat(counting.deleteHash(7)).isTrue();
        }
        assertThat(counting.mightContainHash(7)).isFalse();
        assertThat(counting.expectedFpp()).isZero();
    }

    @Test
    void aUnionThatDoesNotFitIsRefusedAndChangesNothing() {
        DLeftFilter one = plain(FilterSpec.of(1_000, 0.01));
        DLeftFilter other = plain(FilterSpec.of(1_000, 0.01));
        for (int i = 0; i < 20; i++) {
            one.insertHash(7);
            other.insertHash(7);
        }
        long[] before = one.image().sections().get(0).clone();
        assertThatThrownBy(() -> one.mergeFrom(other)).isInstanceOf(FilterFullException.class);
        assertThat(one.image().sections().get(0)).isEqualTo(before);
        assertThatThrownBy(() -> one.mergeFrom(counting(FilterSpec.of(1_000, 0.01))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dleft filters differ in kind: dleft and dleft-counting");
    }

    @Test
    void aLoadThatWouldRefuseKeysIsRefusedItself() {
        for (String load : List.of("7.5", "8")) {
            assertThatThrownBy(() -> plain(FilterSpec.of(10_000, 0.01).with("load", load)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is expected to refuse");
        }
        for (int seed = 0; seed < 100; seed++) {
            DLeftFilter filter = plain(FilterSpec.of(1_000, 0.01).withSeed(seed).with("load", "7"));
            filter.insertHashes(new SplittableRandom(seed).longs(1_000).toArray(), 0, 1_000);
            assertThat(filter.count()).isEqualTo(1_000);
        }
        assertThat(DLeftMath.refusedKeys(1e10, DLeftMath.USUAL_LOAD)).isLessThan(DLeftMath.NEGLIGIBLE);
    }

    /** Tables filled past their plan find no room as often as predicted. */
    @Test
    void keysFindNoRoomAsOftenAsPredicted() {
        int refused = 0;
        int planned = 6_000;
        double load = 7.5;
        int keys = (int) (planned * load / DLeftMath.USUAL_LOAD);
        int tables = 40;
        for (int seed = 0; seed < tables; seed++) {
            DLeftFilter filter = plain(FilterSpec.of(planned, 0.01).withSeed(seed));
            for (long key : new SplittableRandom(seed).longs(keys).toArray()) {
                try {
                    filter.insertHash(key);
                } catch (FilterFullException e) {
                    refused++;
                }
            }
        }
        double predicted = tables * DLeftMath.refusedKeys(keys, load);
        assertThat(refused / predicted)
                .as("%d refused, %s predicted", refused, predicted)
                .isBetween(0.8, 1.2);
    }

    @Test
    void threeQuartersOfTheCellsHoldTheKeysPlanned() {
        long[] keys = new SplittableRandom(42).longs(240_000).toArray();
        DLeftFilter filter = plain(FilterSpec.of(keys.length, 0.001));
        filter.insertHashes(keys, 0, keys.length);
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
        assertThat(filter.sizeInBits() / (double) keys.length).isBetween(19.9, 20.1);
    }

    /** As whoever has the hashes does it: a table that refuses a key is made anew with twice the capacity. */
    @Test
    void aTableThatIsFullGrowsToTwiceItsCapacityAndKeepsItsRate() {
        long[] keys = new SplittableRandom(43).longs(40_000).toArray();
        MemoryHashes stored = new MemoryHashes();
        DLeftFilter filter = plain(FilterSpec.of(500, 0.01).with("load", "5"));
        long capacity = 500;
        for (long key : keys) {
            stored.add(key);
            try {
                filter.insertHash(key);
            } catch (FilterFullException e) {
                capacity *= 2;
                filter = DLeftFilter.read(filter.image(), DLeftCells.PLAIN).grown(capacity, stored);
            }
        }
        assertThat(capacity).isBetween(16_000L, 64_000L);
        assertThat(filter.count()).isEqualTo(keys.length);
        assertThat(Arrays.stream(keys)).allMatch(filter::mightContainHash);
        DLeftFilter atPlan = filter.grown(keys.length, stored);
        DLeftFilter planned = plain(FilterSpec.of(keys.length, 0.01).with("load", "5"));
        assertThat(atPlan.sizeInBits()).isEqualTo(planned.sizeInBits());
        assertThat(atPlan.expectedFpp()).isLessThanOrEqualTo(0.01);
    }
}
