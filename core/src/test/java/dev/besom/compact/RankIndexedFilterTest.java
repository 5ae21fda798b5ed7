package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RankIndexedFilterTest {

    @Test
    void bucketsBorrowExtensionsAndGiveThemBack() {
        SplittableRandom random = new SplittableRandom(31);
        for (double fpp : new double[] {0.2, 0.01, 0.0001}) {
            RankIndexedFilter filter = RankIndexedFilter.make(FilterSpec.of(5_000, fpp));
            long[] empty = checksum(filter);
            List<Long> keys = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                long key = random.nextLong();
                filter.insertHash(key);
                keys.add(key);
            }
            filter.checkInvariants();
            for (long key : keys) {
                assertThat(filter.mightContainHash(key)).isTrue();
            }
            for (int left = keys.size(); left > 0; left--) {
                long key = keys.remove(random.nextInt(left));
                assertThat(filter.deleteHash(key)).isTrue();
                if (left % 500 == 0) {
                    filter.checkInvariants();
                    assertThat(keys).allMatch(filter::mightContainHash);
                }
            }
            filter.checkInvariants();
            assertThat(checksum(filter)).as("an empty filter after all").isEqualTo(empty);
        }
    }

    /** Such tables have a few buckets, with one sort of extensions or none. */
    @Test
    void smallTablesTakeTheirKeysAtEveryRate() {
        for (int keys : new int[] {1, 2, 5, 19, 24, 60}) {
            for (double fpp = 0.5; fpp > 1e-4; fpp *= 0.97) {
                long[] hashes = new SplittableRandom(33).longs(keys).toArray();
                RankIndexedFilter filter = RankIndexedFilter.make(FilterSpec.of(keys, fpp));
                filter.insertHashes(hashes, 0, keys);
                filter.checkInvariants();
                RankIndexedFilter again = RankIndexedFilter.read(filter.image());
                assertThat(Arrays.stream(hashes).allMatch(again::mightContainHash))
                        .as("%d keys at %g", keys, fpp)
                        .isTrue();
            }
        }
    }

    /** The words of all sections but those of extensions, whose contents nobody reads once they are given back. */
    private static long[] checksum(RankIndexedFilter filter) {
        return filter.image().sections().get(0).clone();
    }

    @Test
    void aBucketWithoutRoomRefusesAndLosesNothing() {
        RankIndexedFilter filter = RankIndexedFilter.make(FilterSpec.of(10_000, 0.01));
        long[] keys = new SplittableRandom(32).longs(60_000).toArray();
        int inserted = 0;
        try {
            for (long key : keys) {
                filter.insertHash(key);
                inserted++;
            }
        } catch (FilterFullException e) {
            assertThat(e.getMessage()).contains("extensions");
        }
        assertThat(inserted).isBetween(10_000, 59_999);
        assertThat(filter.count()).isEqualTo(inserted);
        filter.checkInvariants();
        for (int i = 0; i < inserted; i++) {
            assertThat(filter.mightContainHash(keys[i])).isTrue();
        }
    }

    @Test
    void oneKeyPutInOverAndOverIsRefusedAtLast() {
        RankIndexedFilter filter = RankIndexedFilter.make(FilterSpec.of(10_000, 0.01));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 200; i++) {
                        filter.insertHash(7);
                    }
                })
                .isInstanceOf(FilterFullException.class);
        filter.checkInvariants();
        for (long left = filter.count(); left > 0; left--) {
            assertThat(filter.deleteHash(7)).isTrue();
        }
        assertThat(filter.mightContainHash(7)).isFalse();
        filter.checkInvariants();
    }

    @Test
    void aRateThatNoFingerprintReachesIsRefusedAtOnce() {
        assertThatThrownBy(() -> RankIndexedFilter.make(FilterSpec.of(1000, 1e-15)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.0E-15 is too low");
        assertThat(RankIndexedFilter.make(FilterSpec.of(1000, 1e-10)).sizeInBits())
                .isLessThan(200_000);
    }
}
