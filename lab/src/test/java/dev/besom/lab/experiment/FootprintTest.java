package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.BitMoves;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("Footprint")
class FootprintTest {

    @Test
    void wordsAndLinesAreCountedOnce() {
        long[] array = new long[64];
        long[] other = new long[64];
        Footprint.start();
        Footprint.store(array, 5, 7);
        assertThat(Footprint.load(array, 5)).isEqualTo(7);
        assertThat(Footprint.load(array, 6)).isZero();
        assertThat(Footprint.load(other, 5)).isZero();
        Footprint.stop();
        Footprint.store(array, 20, 1);
        assertThat(Footprint.words()).isEqualTo(3);
        // Behind a header of two words, elements 5 and 6 are in different lines.
        assertThat(Footprint.lines()).isEqualTo(3);
    }

    @Test
    void aCopyTouchesBothSidesAndScratchSpaceIsLeftOut() {
        long[] array = new long[64];
        long[] scratch = new long[64];
        Footprint.ignore((Object) scratch);
        Footprint.start();
        Footprint.copy(array, 0, scratch, 0, 10);
        Footprint.copyOf(array, 20);
        Footprint.stop();
        Footprint.ignore();
        assertThat(Footprint.words()).isEqualTo(20 + 20);
    }

    /** Moving bits of four words up by some bits reads and writes these four, and the fifth. */
    @Test
    void aWatchedClassDoesWhatTheOriginalDoesAndTellsOfEachWord() throws ReflectiveOperationException {
        FootprintLoader loader = new FootprintLoader(Set.of("dev.besom.bits"), Set.of());
        Class<?> watched = loader.loadClass(BitMoves.class.getName());
        assertThat(watched).isNotSameAs(BitMoves.class);
        long[] expected = new long[16];
        long[] moved = new long[16];
        for (int i = 2; i < 6; i++) {
            expected[i] = 0x9e3779b97f4a7c15L * i;
            moved[i] = expected[i];
        }
        BitMoves.up(expected, 2, 0, 256, 9);
        Footprint.start();
        watched.getMethod("up", long[].class, int.class, int.class, int.class, int.class)
                .invoke(null, moved, 2, 0, 256, 9);
        Footprint.stop();
        assertThat(moved).isEqualTo(expected);
        assertThat(Footprint.words()).isEqualTo(5);
    }
}
