package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text's hash is that of its bytes in UTF-8. */
@Isolated
class Utf8HasherTest {

    private static final HashSecret SECRET = HashSecret.of(3, 4);

    private static final KeyHasher<CharSequence> UTF8 = KeyHasher.utf8(9);

    private static void assertHashOfBytes(CharSequence text) {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(UTF8.hash(text)).isEqualTo(KeyHasher.bytes(9).hash(bytes));
        for (SecretHash function : SecretHash.values()) {
            assertThat(KeyHasher.secretUtf8(SECRET, function).hash(text))
                    .isEqualTo(KeyHasher.secretBytes(SECRET, function).hash(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "besom",
                "\u0000",
                "\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF",
                "Grüße",
                "€uro",
                "\uD83E\uDDF9",
                "\uD800\uDC00\uDBFF\uDFFF",
                "1234567\uD83E\uDDF9",
                "a text of many characters, all of them ASCII, that is longer than any block"
            })
    void textsOfOneToFourBytesACharacter(String text) {
        assertHashOfBytes(text);
    }

    @Test
    void aSurrogateAloneIsAQuestionMark() {
        for (String text :
                List.of("\uD800", "\uDC00", "\uDC00\uD800", "a\uD800", "\uD800a", "é\uD800\uD800\uDC00\uDC00")) {
            assertHashOfBytes(text);
        }
        assertThat(UTF8.hash("\uD800")).isEqualTo(UTF8.hash("?"));
    }

    @Test
    void everyCharacterByItself() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            assertHashOfBytes(String.valueOf((char) c));
        }
    }

    @Test
    void longMixedTexts() {
        SplittableRandom random = new SplittableRandom(8);
        int[] bounds = {0x80, 0x800, 0x10000, 0x110000};
        for (int length = 1; length < 1500; length += 1 + length / 40) {
            StringBuilder text = new StringBuilder();
            while (text.length() < length) {
                text.appendCodePoint(random.nextInt(bounds[random.nextInt(bounds.length)]));
            }
            assertHashOfBytes(text.toString());
            assertHashOfBytes(text);
            assertHashOfBytes(CharBuffer.wrap(text.toString().toCharArray()));
        }
    }

    @Test
    void bytesAndUtf8ShareOneStamp() {
        assertThat(UTF8.stamp()).isEqualTo(KeyHasher.bytes(9).stamp());
        assertThat(KeyHasher.secretUtf8(SECRET).stamp())
                .isEqualTo(KeyHasher.secretBytes(SECRET).stamp());
        assertThat(KeyHasher.chars(9).stamp()).isNotEqualTo(UTF8.stamp());
    }

    @Test
    void textsThatHashTextsWhileTheyAreHashed() {
        CharSequence nested = new CharSequence() {
            @Override
            public int length() {
                return 20;
            }

            @Override
            public char charAt(int index) {
                assertThat(UTF8.hash("ü")).isEqualTo(KeyHasher.bytes(9).hash("ü".getBytes(StandardCharsets.UTF_8)));
                return (char) ('ä' + index);
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return toString().subSequence(start, end);
            }

            @Override
            public String toString() {
                return chars().mapToObj(Character::toString).collect(Collectors.joining());
            }
        };
        assertHashOfBytes(nested);
    }

    @Test
    void aTextThatFailsLeavesNothingBehind() {
        CharSequence failing = new CharSequence() {
            private int calls;

            @Override
            public int length() {
                return 10;
            }

            @Override
            public char charAt(int index) {
                if (++calls > 15) {
                    throw new IllegalStateException("no more");
                }
                return 'é';
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return "";
            }
        };
        assertThat(UTF8.hash("é")).isEqualTo(UTF8.hash("é"));
        assertThatIllegalStateException().isThrownBy(() -> UTF8.hash(failing));
        assertHashOfBytes("é and more");
    }

    @Test
    void threadsDoNotDisturbEachOther() throws Exception {
        String[] texts = {"é".repeat(50), "aé€😀".repeat(20), "ß"};
        long[] expected = new long[texts.length];
        for (int i = 0; i < texts.length; i++) {
            expected[i] = KeyHasher.bytes(9).hash(texts[i].getBytes(StandardCharsets.UTF_8));
        }
        Callable<Boolean> work = () -> {
            boolean right = true;
            for (int i = 0; i < 50_000; i++) {
                right &= UTF8.hash(texts[i % texts.length]) == expected[i % texts.length];
            }
            return right;
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<Boolean> result : threads.invokeAll(List.of(work, work, work, work))) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }
}
