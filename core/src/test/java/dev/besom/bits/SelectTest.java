package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SelectTest {

    private static final int[] SHIFTS = {0, 1, 5, 8, 13, 24, 31, 32, 40, 47, 48};

    @Test
    void selectFindsEachBitOfEachShortWord() {
        for (int shift : SHIFTS) {
            for (int value = 0; value < 1 << 16; value++) {
                check((long) value << shift);
            }
        }
    }

    @Test
    void selectFindsEachBitAmongOnes() {
        for (int value = 0; value < 1 << 16; value++) {
            check(~((long) value << 24));
        }
    }

    @Test
    void selectFindsEachBitOfRandomWords() {
        SplittableRandom random = new SplittableRandom(64);
        for (int i = 0; i < 20_000; i++) {
            long word = random.nextLong();
            check(word);
            check(word & random.nextLong() & random.nextLong());
            check(word | random.nextLong() | random.nextLong());
        }
        check(-1);
        check(Long.MIN_VALUE);
        check(1);
    }

    @Test
    void rankCountsTheBitsBelow() {
        SplittableRandom random = new SplittableRandom(65);
        for (int i = 0; i < 1000; i++) {
            long word = i == 0 ? -1 : random.nextLong();
            int below = 0;
            for (int position = 0; position < 64; position++) {
                assertThat(Select.rank(word, position)).isEqualTo(below);
                below += (int) (word >>> position & 1);
            }
        }
    }

    @Test
    void expandIsUsedWhereTheJdkHasIt() {
        assertThat(Select.hasExpand()).isEqualTo(Runtime.version().feature() >= 19);
    }

    /** All ranks from 0 to 63, those past the last set bit included. Plain comparisons: this runs millions of times. */
    private static void check(long word) {
        int rank = 0;
        for (long rest = word; rest != 0; rest &= rest - 1) {
            checkOne(word, rank, Long.numberOfTrailingZeros(rest));
            rank++;
        }
        for (; rank < 64; rank++) {
            checkOne(word, rank, 64);
        }
    }

    private static void checkOne(long word, int rank, int expected) {
        int byBroadword = Select.selectByBroadword(word, rank);
        int byExpand = Select.hasExpand() ? Select.selectByExpand(word, rank) : expected;
        int chosen = Select.select(word, rank);
        if (byBroadword != expected || byExpand != expected || chosen != expected) {
            throw new AssertionError("bit " + rank + " of " + Long.toBinaryString(word) + " is at " + expected
                    + ", not at " + byBroadword + " (broadword), " + byExpand + " (expand), " + chosen);
        }
    }
}
