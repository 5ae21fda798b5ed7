package dev.besom.quotient.tags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.bits.Words;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tags against a plain array of them: every change is made as queried or refused as a whole. */
class BlockTagsTest {

    private static final int BLOCKS = 140;
    private static final int MOST_NOT_TALL = 3;

    private static Slots slots(CodeChoice choice) {
        return new Slots(new SlotLayout(choice.metadataWords(), 1, BLOCKS * 64L, BLOCKS));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0x1", "0, 0, 0, 0.5, 0x2", "1, 0, 0, 0, 0x3", "1, 0, 0, 0.5, 0x4", "2, 2, 3, 0, 0x5",
        "2, 2, 3, 0.5, 0x6", "3, 0, 0, 0, 0x7", "3, 0, 0, 0.5, 0x8", "4, 0, 0, 0, 0x9", "4, 0, 0, 0.5, 0xa",
        "5, 0, 0, 0, 0xb", "5, 0, 0, 0.5, 0xc"
    })
    void tagsAreWhatAPlainArrayHoldsAfterEveryStep(int number, int x, int y, double spill, String seed) {
        CodeChoice choice = new CodeChoice(number, x, y);
        SplittableRandom random = new SplittableRandom(Long.decode(seed));
        Slots slots = slots(choice);
        BlockTags tags = (BlockTags) choice.tags(slots, MOST_NOT_TALL, spill * BLOCKS * 64);
        int all = BLOCKS * 64;
        // Work in a few neighbouring blocks, on both sides of a border between groups that share a spill.
        int from = 120 * 64;
        int to = 136 * 64;
        long[] expected = new long[all];
        long[] used = new long[BLOCKS];
        Arrays.fill(used, -1);
        int refused = 0;
        int mostSpilled = 0;
        for (int step = 0; step < 12_000; step++) {
            int what = random.nextInt(10);
            int at = from + random.nextInt(to - from);
            if (what < 4) {
                long tag = choice.isOfSelectors()
                        ? expected[at] + 1
                        : ExtensionCodeTest.longer(expected[at], random.nextLong(), 1 + random.nextInt(2));
                if (tags.set(at, tag)) {
                    expected[at] = tag;
                } else {
                    refused++;
                    if (random.nextInt(3) == 0) {
                        at = (at & ~63) | random.nextInt(64);
                        assertThat(tags.set(at, 0)).isTrue();
                        expected[at] = 0;
                    }
                }
            } else {
                int last = Math.min(to, at + 1 + random.nextInt(200));
                if (what < 7) {
                    if (tags.blockTooFullToOpen(at, last) < 0) {
                        tags.open(at, last);
                        System.arraycopy(expected, at, expected, at + 1, last - at);
                        expected[at] = 0;
                    } else {
                        refused++;
                    }
                } else if (tags.blockTooFullToClose(at, last) < 0) {
                    tags.close(at, last);
                    System.arraycopy(expected, at + 1, expected, at, last - at);
                    expected[last] = 0;
                } else {
                    refused++;
                }
            }
            mostSpilled = Math.max(mostSpilled, tags.spilledBlocks());
            if (step % 50 == 0) {
                assertHolds(tags, expected);
                tags.check(used);
            }
        }
        assertHolds(tags, expected);
        assertThat(refused).isPositive();
        assertThat(mostSpilled > 0).isEqualTo(spill > 0);

        BlockTags again = (BlockTags) choice.tags(slots, MOST_NOT_TALL, spill * BLOCKS * 64);
        again.readSpill(tags.spillSection());
        assertHolds(again, expected);
        again.check(used);
    }

    private static void assertHolds(BlockTags tags, long[] expected) {
        long[] block = new long[64];
        for (int slot = 0; slot < expected.length; slot++) {
            if ((slot & 63) == 0) {
                tags.read(slot >>> 6, block);
            }
            if (tags.get(slot) != expected[slot] || block[slot & 63] != expected[slot]) {
                assertThat(new long[] {tags.get(slot), block[slot & 63]})
                        .as("slot " + slot)
                        .containsOnly(expected[slot]);
            }
        }
    }

    @Test
    void theSpillNeverExceedsItsBound() {
        CodeChoice choice = new CodeChoice(0, 0, 0);
        double bits = 0.2 * BLOCKS * 64;
        BlockTags tags = (BlockTags) choice.tags(slots(choice), MOST_NOT_TALL, bits);
        int refused = 0;
        for (int slot = 0; slot < BLOCKS * 64; slot++) {
            refused += slot % 3 == 0 && !tags.set(slot, 1) ? 1 : 0;
        }
        assertThat(refused).isPositive();
        assertThat(tags.spilledBlocks()).isBetween(1, (int) (bits / 64));
        // Beside the words themselves each group has a word that tells which are in use.
        assertThat(tags.spillInBits()).isLessThanOrEqualTo((long) bits + 2 * 64);
    }

    @Test
    void aSpillThatNoFilterWroteIsRefused() {
        CodeChoice choice = new CodeChoice(0, 0, 0);
        BlockTags tags = (BlockTags) choice.tags(slots(choice), MOST_NOT_TALL, BLOCKS * 32.0);
        for (int slot = 0; slot < 64; slot++) {
            assertThat(tags.set(slot, slot % 3 == 0 ? 1 : 0)).isTrue();
        }
        long[] section = tags.spillSection();
        assertThat(Words.count(section)).isEqualTo(3);
        for (long[] bad : new long[][] {
            Arrays.copyOf(section, section.length - 1),
            Arrays.copyOf(section, section.length + 1),
            new long[Words.LEAD],
            withWord(section, 0, -1L),
            withWord(section, 0, 2L | (1L << 63))
        }) {
            assertThatThrownBy(() -> choice.tags(slots(choice), MOST_NOT_TALL, BLOCKS * 32.0)
                            .readSpill(bad))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static long[] withWord(long[] section, int index, long word) {
        long[] changed = section.clone();
        changed[Words.LEAD + index] = word;
        return changed;
    }
}
