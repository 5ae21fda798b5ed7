package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RemainderLanesTest {

    private static final long SEED = 0x6C616E6573L;

    private static long sum(RemainderLanes lanes, long[] words) {
        long pairs = 0;
        for (int i = 0; i < words.length; i += 4) {
            pairs += words.length - i < 4
                    ? lanes.pairs(words[i], i + 1 < words.length ? words[i + 1] : 0)
                    : lanes.pairs(words[i], words[i + 1], words[i + 2], words[i + 3]);
        }
        return lanes.sum(pairs);
    }

    private static long plainSum(long[] words, int remainderBits, int lanes) {
        long sum = 0;
        for (long word : words) {
            for (int lane = 0; lane < lanes; lane++) {
                sum += word >>> (lane * remainderBits) & ((1L << remainderBits) - 1);
            }
        }
        return sum;
    }

    /** As many words as may be, all of them full, are the most that lanes, pairs and fours of them have to hold. */
    @Test
    void theLargestSumOfEachWidthFits() {
        for (int remainderBits = 1; remainderBits <= GolombMath.MOST_REMAINDER_BITS; remainderBits++) {
            RemainderLanes lanes = new RemainderLanes(remainderBits);
            for (int count = 1; count <= lanes.mostSummed() / lanes.lanes(); count++) {
                if (count % 4 == 3) {
                    continue; // words are added up by two and by four
                }
                long[] words = new long[count];
                Arrays.fill(words, lanes.mask(lanes.lanes()));
                assertThat(sum(lanes, words))
                        .as("%d words of remainders of %d bits", count, remainderBits)
                        .isEqualTo((long) count * lanes.lanes() * ((1L << remainderBits) - 1));
            }
        }
    }

    @Test
    void sumsAreThoseOfTheLanesOneByOne() {
        for (int remainderBits = 1; remainderBits <= GolombMath.MOST_REMAINDER_BITS; remainderBits++) {
            RemainderLanes lanes = new RemainderLanes(remainderBits);
            int most = lanes.mostSummed() / lanes.lanes();
            for (int round = 0; round < 200; round++) {
                long[] words = new long[most >= 4 ? 4 : most >= 2 ? 2 : 1];
                for (int i = 0; i < words.length; i++) {
                    words[i] = Mix.expand(i, SEED + round, remainderBits) & lanes.mask(lanes.lanes());
                }
                assertThat(sum(lanes, words)).isEqualTo(plainSum(words, remainderBits, lanes.lanes()));
            }
        }
    }

    /** All words of the narrowest lanes, eight bits of them at a time. */
    @Test
    void everyWordOfTheNarrowestLanesHasItsSum() {
        for (int remainderBits = 1; remainderBits <= 4; remainderBits++) {
            RemainderLanes lanes = new RemainderLanes(remainderBits);
            for (int shift = 0; shift < 56; shift += 8) {
                for (long bits = 0; bits < 256; bits++) {
                    long[] word = {bits << shift & lanes.mask(lanes.lanes())};
                    assertThat(sum(lanes, word)).isEqualTo(plainSum(word, remainderBits, lanes.lanes()));
                }
            }
        }
    }

    @Test
    void aMaskHasTheRemaindersThatAreWanted() {
        for (int remainderBits = 1; remainderBits <= GolombMath.MOST_REMAINDER_BITS; remainderBits++) {
            RemainderLanes lanes = new RemainderLanes(remainderBits);
            for (int count = -30; count <= 100; count++) {
                int wanted = Math.max(0, Math.min(count, lanes.lanes()));
                assertThat(Long.bitCount(lanes.mask(count))).isEqualTo(wanted * remainderBits);
                assertThat(lanes.mask(count) + 1).isEqualTo(1L << (wanted * remainderBits));
            }
        }
    }

    @Test
    void narrowRemaindersTakeWholeBytesEightAtATime() {
        for (int remainderBits = 1; remainderBits <= GolombMath.MOST_REMAINDER_BITS; remainderBits++) {
            int bits = remainderBits * new RemainderLanes(remainderBits).lanes();
            assertThat(bits).isBetween(1, 56);
            if (RemainderLanes.isNarrow(remainderBits)) {
                assertThat(bits).isEqualTo(8 * remainderBits);
            }
        }
    }
}
