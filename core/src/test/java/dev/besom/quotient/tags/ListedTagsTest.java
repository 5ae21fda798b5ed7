package dev.besom.quotient.tags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.bits.Words;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ListedTagsTest {

    private static final int BLOCKS = 5;
    private static final int SLOTS = BLOCKS * 64;
    private static final long MOST = (1L << 62) - 1;

    private final SplittableRandom random = new SplittableRandom(19750301);
    private final Slots slots = new Slots(new SlotLayout(ListedTags.METADATA_WORDS, 3, SLOTS, BLOCKS));

    private static long[] allUsed() {
        long[] used = new long[BLOCKS];
        Arrays.fill(used, -1);
        return used;
    }

    private static void assertHolds(Tags tags, long[] expected) {
        for (int slot = 0; slot < expected.length; slot++) {
            assertThat(tags.get(slot)).as("slot %d", slot).isEqualTo(expected[slot]);
        }
    }

    @Test
    void everyTagComesBackAloneAndAmongOthers() {
        ListedTags tags = new ListedTags(slots, Double.POSITIVE_INFINITY);
        for (long tag = 0; tag < 1_000; tag++) {
            assertThat(tags.set(77, tag)).isTrue();
            assertThat(tags.get(77)).isEqualTo(tag);
            assertThat(tags.get(76) + tags.get(78)).isZero();
        }
        for (int bits = 0; bits < 62; bits++) {
            for (long tag : new long[] {1L << bits, (2L << bits) - 1}) {
                assertThat(tags.set(64, 1) && tags.set(77, tag) && tags.set(127, 2))
                        .isTrue();
                assertThat(new long[] {tags.get(64), tags.get(77), tags.get(127)})
                        .containsExactly(1, tag, 2);
                tags.check(allUsed());
            }
        }
        assertThat(tags.set(77, MOST + 1)).isFalse();
        assertThat(tags.set(77, Long.MAX_VALUE)).isFalse();
        assertThat(tags.get(77)).isEqualTo(MOST);
    }

    @Test
    void tagsMoveWithTheirSlotsAndNoneIsEverRefused() {
        ListedTags tags = new ListedTags(slots, Double.POSITIVE_INFINITY);
        long[] expected = new long[SLOTS];
        int mostListed = 0;
        for (int step = 0; step < 20_000; step++) {
            int at = random.nextInt(SLOTS);
            int end = Math.min(SLOTS - 1, at + random.nextInt(150));
            switch (random.nextInt(8)) {
                case 0 -> {
                    assertThat(tags.blockTooFullToOpen(at, end)).isNegative();
                    tags.open(at, end);
                    System.arraycopy(expected, at, expected, at + 1, end - at);
                    expected[at] = 0;
                }
                case 1 -> {
                    assertThat(tags.blockTooFullToClose(at, end)).isNegative();
                    tags.close(at, end);
                    System.arraycopy(expected, at + 1, expected, at, end - at);
                    expected[end] = 0;
                }
                case 2 -> {
                    expected[at] = 0;
                    assertThat(tags.set(at, 0)).isTrue();
                }
                default -> {
                    expected[at] =
                            random.nextInt(4) == 0 ? random.nextLong() >>> (2 + random.nextInt(62)) : 1 + step % 3;
                    assertThat(tags.set(at, expected[at])).isTrue();
                }
            }
            mostListed = Math.max(mostListed, tags.spilledBlocks());
            if (step % 100 == 0) {
                assertHolds(tags, expected);
                tags.check(allUsed());
                ListedTags again = new ListedTags(slots, Double.POSITIVE_INFINITY);
                again.readSpill(tags.spillSection());
                assertHolds(again, expected);
                again.check(allUsed());
                assertThat(again.spillInBits()).isEqualTo(tags.spillInBits());
            }
        }
        assertThat(mostListed).isEqualTo(BLOCKS);
        for (int slot = 0; slot < SLOTS; slot++) {
            tags.set(slot, 0);
        }
        assertThat(tags.spilledBlocks()).isZero();
        assertThat(tags.spillInBits()).isZero();
    }

    @Test
    void theBoundOfListsIsKept() {
        double bits = 20 * Long.SIZE + BLOCKS * Integer.SIZE;
        ListedTags tags = new ListedTags(slots, bits);
        long[] expected = new long[SLOTS];
        int refused = 0;
        for (int step = 0; step < 20_000; step++) {
            int at = random.nextInt(SLOTS);
            if (tags.set(at, expected[at] + 1)) {
                expected[at]++;
            } else {
                refused++;
            }
            assertThat((double) tags.spillInBits()).isLessThanOrEqualTo(bits);
        }
        assertThat(refused).isPositive();
        assertHolds(tags, expected);
        int largest = 0;
        while (expected[largest] < 2) {
            largest++;
        }
        assertThat(tags.set(largest, 1)).as("a smaller tag is never refused").isTrue();
    }

    @Test
    void listsThatNoTagsMakeAreRefused() {
        ListedTags tags = new ListedTags(slots, Double.POSITIVE_INFINITY);
        for (int slot = 0; slot < SLOTS; slot++) {
            tags.set(slot, 1 + random.nextInt(1_000));
        }
        long[] section = tags.spillSection();
        for (int at = Words.LEAD; at < section.length; at++) {
            for (long change : new long[] {1, Long.MIN_VALUE, -1}) {
                long[] changed = section.clone();
                changed[at] ^= change;
                ListedTags damaged = new ListedTags(slots, Double.POSITIVE_INFINITY);
                // A list of other tags is as good as any.
                try {
                    damaged.readSpill(changed);
                    damaged.check(allUsed());
                } catch (IllegalStateException e) {
                    continue;
                }
                for (int slot = 0; slot < SLOTS; slot++) {
                    assertThat(damaged.get(slot)).isPositive();
                }
            }
        }
        ListedTags without = new ListedTags(slots, Double.POSITIVE_INFINITY);
        assertThatThrownBy(() -> without.check(allUsed())).isInstanceOf(IllegalStateException.class);
        for (long[] bad :
                new long[][] {Arrays.copyOf(section, section.length - 1), Arrays.copyOf(section, section.length + 1)}) {
            assertThatThrownBy(() -> new ListedTags(slots, Double.POSITIVE_INFINITY).readSpill(bad))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> tags.check(new long[BLOCKS])).hasMessageContaining("free slot");
    }
}
