package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WordsTest {

    @Test
    void aWordArrayHasItsLeadAndItsWords() {
        for (int count : new int[] {0, 1, 7, 100}) {
            long[] words = Words.allocate(count);
            assertThat(words).hasSize(count + Words.LEAD).containsOnly(0);
            assertThat(Words.count(words)).isEqualTo(count);
        }
    }

    @Test
    void noArrayIsLargerThanJavasOrSmallerThanNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> Words.allocate(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Words.allocate(Words.MAX_COUNT + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Words.allocate(Long.MAX_VALUE));
    }

    @Test
    void bitsAreRoundedUpToWords() {
        assertThat(Words.forBits(0)).isEqualTo(0);
        assertThat(Words.forBits(1)).isEqualTo(1);
        assertThat(Words.forBits(64)).isEqualTo(1);
        assertThat(Words.forBits(65)).isEqualTo(2);
        assertThat(Words.forBits(1L << 40)).isEqualTo(1L << 34);
        assertThat(Words.forBits(Long.MAX_VALUE)).isEqualTo(1L << 57);
    }

    @Test
    void aBitmapAnswersForEachOfItsBits() {
        long[] bitmap = Bitmaps.allocate(130);
        assertThat(bitmap).hasSize(3);
        bitmap[0] = 1L << 63;
        bitmap[2] = 0b10;
        for (int i = 0; i < 130; i++) {
            assertThat(Bitmaps.get(bitmap, i)).isEqualTo(i == 63 || i == 129);
        }
        assertThat(Bitmaps.cardinality(bitmap)).isEqualTo(2);
        assertThat(Bitmaps.allocate(0)).isEmpty();
        assertThat(Bitmaps.allocate(64)).hasSize(1);
    }

    @Test
    void bulkArgumentsThatDoNotFitAreRefused() {
        Bitmaps.checkBulk(new long[64], 0, 64, new long[1]);
        Bitmaps.checkBulk(new long[0], 0, 0, new long[0]);
        Bitmaps.checkBulk(new long[66], 1, 65, new long[2]);
        assertThatThrownBy(() -> Bitmaps.checkBulk(new long[64], 1, 64, new long[1]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Bitmaps.checkBulk(new long[64], 0, -1, new long[1]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> Bitmaps.checkBulk(new long[66], 1, 65, new long[1]));
        long[] both = new long[64];
        Bitmaps.checkBulk(both, 0, 0, both);
        assertThatIllegalArgumentException().isThrownBy(() -> Bitmaps.checkBulk(both, 63, 1, both));
    }
}
