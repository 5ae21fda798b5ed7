package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BlockStartsTest {

    private static final long SEED = 0x737461727473L;

    private static void check(int[] starts) {
        BlockStarts index = BlockStarts.of(starts);
        int blocks = starts.length - 1;
        BlockStarts again = BlockStarts.read(index.lines(), index.deviations(), blocks, index.widths());
        for (int block = 0; block <= blocks; block++) {
            assertThat(index.start(block)).isEqualTo(starts[block]);
            assertThat(again.start(block)).isEqualTo(starts[block]);
        }
    }

    @Test
    void everyNumberOfBlocksHasItsStarts() {
        for (int blocks = 1; blocks <= 200; blocks++) {
            int[] starts = new int[blocks + 1];
            for (int block = 0; block < blocks; block++) {
                starts[block + 1] = starts[block] + 70 + (int) (Mix.expand(block, SEED, blocks) & 31);
            }
            check(starts);
        }
    }

    /** A group that is not full must not cost wider deviations than full ones do. */
    @Test
    void theLastGroupHasALineOfItsOwnBlocks() {
        for (int blocks = 1; blocks <= 100; blocks++) {
            int[] starts = new int[blocks + 1];
            for (int block = 0; block < blocks; block++) {
                starts[block + 1] = starts[block] + 80;
            }
            check(starts);
            assertThat(BlockStarts.of(starts).widths().deviationBits()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void blocksOfAnyLengthHaveTheirStarts() {
        check(new int[] {0, 0});
        check(new int[] {0, GolombBlocks.MOST_BYTES});
        check(new int[] {0, 0, 0, GolombBlocks.MOST_BYTES, GolombBlocks.MOST_BYTES});
        int[] late = new int[34];
        late[33] = GolombBlocks.MOST_BYTES;
        check(late);
        int[] early = new int[34];
        Arrays.fill(early, 1, 34, GolombBlocks.MOST_BYTES);
        check(early);
    }
}
