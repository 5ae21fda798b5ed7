package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtensionsTest {

    private static final int WIDTH = 6;

    /** The word whose bits a text of zeros and ones shows, the first one highest, and then chance. */
    private static long word(String bits) {
        long rest = 0x9e3779b97f4a7c15L >>> bits.length();
        return bits.isEmpty() ? rest : Long.parseLong(bits, 2) << (Long.SIZE - bits.length()) | rest;
    }

    /** All texts of zeros and ones of a length. */
    private static String[] texts(int length) {
        return IntStream.range(0, 1 << length)
                .mapToObj(i -> Integer.toBinaryString(1 << length | i).substring(1))
                .toArray(String[]::new);
    }

    private static int sharedStart(String one, String other) {
        int shared = 0;
        while (shared < Math.min(one.length(), other.length()) && one.charAt(shared) == other.charAt(shared)) {
            shared++;
        }
        return shared;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, WIDTH})
    void anExtensionIsThePrefixThatItsTextIs(int length) {
        for (String text : texts(WIDTH)) {
            String prefix = text.substring(0, length);
            long extension = Extensions.of(word(text), length);
            assertThat(extension).isEqualTo(length == 0 ? Extensions.EMPTY : Long.parseLong("1" + prefix, 2));
            assertThat(Extensions.length(extension)).isEqualTo(length);
            assertThat(Extensions.bits(extension)).isEqualTo(length == 0 ? 0 : Long.parseLong(prefix, 2));
            assertThat(Extensions.ofBits(Extensions.bits(extension) | -1L << length, length))
                    .isEqualTo(extension);
            for (String other : texts(WIDTH)) {
                assertThat(Extensions.isPrefix(extension, word(other))).isEqualTo(other.startsWith(prefix));
                assertThat(Extensions.shared(extension, word(other))).isEqualTo(sharedStart(prefix, other));
                if (!other.equals(text)) {
                    assertThat(Extensions.sharedBits(word(text), word(other))).isEqualTo(sharedStart(text, other));
                }
            }
        }
    }

    @Test
    void everyLengthUpToTheMostIsToldFromTheOthers() {
        long word = 0xfedcba9876543210L;
        long before = -1;
        for (int length = 0; length <= Extensions.MOST_LENGTH; length++) {
            long extension = Extensions.of(word, length);
            assertThat(extension).isGreaterThan(before);
            assertThat(Extensions.length(extension)).isEqualTo(length);
            assertThat(Extensions.isPrefix(extension, word)).isTrue();
            assertThat(Extensions.isPrefix(extension, word ^ Long.MIN_VALUE >>> length))
                    .as("a bit behind the end does not matter")
                    .isTrue();
            if (length > 0) {
                assertThat(Extensions.isPrefix(extension, word ^ Long.MIN_VALUE >>> (length - 1)))
                        .isFalse();
            }
            before = extension;
        }
        assertThat(Extensions.sharedBits(word, word)).isEqualTo(Long.SIZE);
    }
}
