package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.besom.adaptive.Extensions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtensionCodeTest {

    private static final int WORD = Long.SIZE;
    private static final int THREE_WORDS = 3 * WORD;

    private final SplittableRandom random = new SplittableRandom(77);

    /** Extensions of random slots, most of them short, until the next one would take more bits than there are. */
    private ExtensionList fill(ExtensionCode form, int slots, int bits) {
        ExtensionList list = new ExtensionList(form, slots);
        while (true) {
            int most = random.nextInt(8) == 0 ? Extensions.MOST_LENGTH : 3;
            long extension = Extensions.of(random.nextLong(), 1 + random.nextInt(most));
            int slot = random.nextInt(slots);
            if (list.sizeInBits() + form.sizeOf(extension) > bits) {
                return list;
            }
            list.set(slot, extension);
        }
    }

    private static long expected(ExtensionList list, int slot) {
        for (int i = 0; i < list.size(); i++) {
            if (list.slot(i) == slot) {
                return list.extension(i);
            }
        }
        return Extensions.EMPTY;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 30, 48, 62, 1022})
    void whatWasPutIsFoundForEachSlotAndNothingElse(int slots) {
        ExtensionCode form = ExtensionCode.forSlots(slots);
        for (int round = 0; round < 3_000; round++) {
            int least = random.nextInt(THREE_WORDS + 1);
            ExtensionList list = fill(form, slots, least);
            // Also in a string that is full to its last bit, and in one that has a few bits more.
            int size = Math.max(1, random.nextBoolean() ? list.sizeInBits() : least);
            int from = random.nextInt(2 * WORD);
            long[] code = list.toCode(size);
            long[] placed = new long[ExtensionCode.words(from + size)];
            ExtensionCode.or(placed, 0, (1L << Math.min(from, WORD - 1)) - 1);
            list.write(placed, from, from + size);
            for (int slot = 0; slot < slots; slot++) {
                long extension = expected(list, slot);
                assertThat(form.find(code, 0, size, slot)).isEqualTo(extension);
                assertThat(form.find(placed, from, from + size, slot)).isEqualTo(extension);
                assertThat(form.find(at(code, 0), at(code, 1), at(code, 2), size, slot))
                        .isEqualTo(extension);
                if (size <= WORD) {
                    assertThat(form.find(at(code, 0), size, slot)).isEqualTo(extension);
                }
            }
            ExtensionList unpacked = new ExtensionList(form, slots);
            unpacked.read(placed, from, from + size);
            assertThat(unpacked.toCode(size)).isEqualTo(code);
        }
    }

    private static long at(long[] code, int word) {
        return word < code.length ? code[word] : 0;
    }

    /** Whatever bits there are: they are refused, or what is written again is some code. */
    @Test
    void anyBitsAreUnpackedOrRefused() {
        ExtensionCode form = ExtensionCode.forSlots(48);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            int size = 1 + random.nextInt(THREE_WORDS);
            long[] code = random.longs(3).toArray();
            ExtensionList list = new ExtensionList(form, 48);
            try {
                list.read(code, 0, size);
                assertThat(list.sizeInBits()).isLessThanOrEqualTo(size);
            } catch (IllegalStateException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void anExtensionThatDoesNotEndIsRefused() {
        ExtensionCode form = ExtensionCode.forSlots(48);
        assertThatIllegalStateException()
                .isThrownBy(() -> new ExtensionList(form, 48).read(new long[] {-1L}, 0, WORD))
                .withMessageContaining("one of 65 bits");
    }
}
