package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * The hashers' values for ever, kept in {@code frozen-hashes.txt}: the key's length, or a checksum over all lengths, and
 * the hash. A change here makes every filter file worthless that was written before.
 */
class FrozenHashesTest {

    private static final int MAX_LENGTH = 4096;
    private static final int[] LENGTHS = {
        0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 1024, MAX_LENGTH
    };
    private static final long[] NUMBERS = {
        0,
        1,
        2,
        3,
        255,
        256,
        0xFFFFFFFFL,
        1L << 32,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -2,
        -1,
        0x0123456789ABCDEFL
    };
    private static final HashSecret SECRET = HashSecret.of(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);

    @Test
    void hashesNeverChange() throws IOException {
        assertThat(present()).containsExactlyElementsOf(frozen());
    }

    /** In ASCII both kinds of text hashers see bytes that are the characters. */
    @Test
    void asciiTextsHaveTheFrozenHashesOfTheirBytes() {
        byte[] bytes = new byte[MAX_LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (byteAt(i) & 0x7F);
        }
        String text = new String(bytes, StandardCharsets.US_ASCII);
        for (int length = 0; length <= MAX_LENGTH; length++) {
            assertThat(KeyHasher.utf8(5).hash(text.substring(0, length)))
                    .isEqualTo(KeyHasher.bytes(5).hash(bytes, 0, length));
            assertThat(KeyHasher.secretUtf8(SECRET).hash(text.substring(0, length)))
                    .isEqualTo(KeyHasher.secretBytes(SECRET).hash(bytes, 0, length));
        }
    }

    private static List<String> frozen() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(FrozenHashesTest.class.getResourceAsStream("frozen-hashes.txt")),
                StandardCharsets.US_ASCII))) {
            return reader.lines().toList();
        }
    }

    private static List<String> present() {
        byte[] bytes = new byte[MAX_LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = byteAt(i);
        }
        String text = text();
        List<String> lines = new ArrayList<>();
        for (long seed : new long[] {KeyHasher.DEFAULT_SEED, 0, -1}) {
            BytesHasher ofBytes = KeyHasher.bytes(seed);
            KeyHasher<CharSequence> utf8 = KeyHasher.utf8(seed);
            KeyHasher<CharSequence> chars = KeyHasher.chars(seed);
            LongHasher longs = KeyHasher.longs(seed);
            describe(lines, "bytes", ofBytes, length -> ofBytes.hash(bytes, 0, length));
            describe(lines, "utf8", utf8, length -> utf8.hash(text.substring(0, length)));
            describe(lines, "chars", chars, length -> chars.hash(text.substring(0, length)));
            describe(lines, longs);
        }
        for (SecretHash function : SecretHash.values()) {
            BytesHasher ofBytes = KeyHasher.secretBytes(SECRET, function);
            KeyHasher<CharSequence> utf8 = KeyHasher.secretUtf8(SECRET, function);
            describe(lines, "secretBytes", ofBytes, length -> ofBytes.hash(bytes, 0, length));
            describe(lines, "secretUtf8", utf8, length -> utf8.hash(text.substring(0, length)));
            describe(lines, KeyHasher.secretLongs(SECRET, function));
        }
        for (long seed : new long[] {KeyHasher.DEFAULT_SEED, 0, -1}) {
            describeKeys(lines, "uuids", KeyHasher.uuids(seed), FrozenHashesTest::uuid);
            describeKeys(
                    lines,
                    "of",
                    KeyHasher.of("parts", FrozenHashesTest::feed, seed),
                    length -> text.substring(0, length));
        }
        for (SecretHash function : SecretHash.values()) {
            describeKeys(lines, "secretUuids", KeyHasher.secretUuids(SECRET, function), FrozenHashesTest::uuid);
            describeKeys(
                    lines,
                    "secretOf",
                    KeyHasher.secretOf("parts", FrozenHashesTest::feed, SECRET, function),
                    length -> text.substring(0, length));
            KeyHasher<CharSequence> chars = KeyHasher.secretChars(SECRET, function);
            describe(lines, "secretChars", chars, length -> chars.hash(text.substring(0, length)));
        }
        return lines;
    }

    /** A few of a hasher's values for keys that are made of numbers. */
    private static <K> void describeKeys(List<String> lines, String name, KeyHasher<K> hasher, IntFunction<K> keys) {
        for (int i = 0; i < 10; i++) {
            lines.add(name + " " + hasher.stamp().id() + " "
                    + hex(hasher.stamp().seed()) + " key " + i + " " + hex(hasher.hash(keys.apply(i * i))));
        }
    }

    private static UUID uuid(int i) {
        return new UUID(i * 0x0123456789ABCDEFL, ~(i * 0x0FEDCBA987654321L));
    }

    /** Every kind of part that a sink takes. */
    private static void feed(String key, KeySink sink) {
        sink.putText(key)
                .putInt(key.length())
                .putLong(-key.length())
                .putByte((byte) key.length())
                .putUuid(uuid(key.length()))
                .putBytes(key.getBytes(StandardCharsets.UTF_16LE))
                .putRaw(new byte[] {1, 2, 3});
    }

    private static void describe(List<String> lines, String name, KeyHasher<?> hasher, IntToLongFunction ofLength) {
        String stamp =
                name + " " + hasher.stamp().id() + " " + hex(hasher.stamp().seed());
        long checksum = 0;
        for (int length = 0; length <= MAX_LENGTH; length++) {
            long hash = ofLength.applyAsLong(length);
            checksum = checksum * 31 + hash;
            if (Arrays.binarySearch(LENGTHS, length) >= 0) {
                lines.add(stamp + " length " + length + " " + hex(hash));
            }
        }
        lines.add(stamp + " lengths 0-" + MAX_LENGTH + " " + hex(checksum));
    }

    private static void describe(List<String> lines, LongHasher hasher) {
        for (long number : NUMBERS) {
            lines.add(hasher.stamp().id() + " " + hex(hasher.stamp().seed()) + " number " + hex(number) + " "
                    + hex(hasher.hash(number)));
        }
    }

    private static byte byteAt(int index) {
        return (byte) (index * 151 + (index >>> 8) * 7 + 3);
    }

    /** Characters of one to four bytes, some surrogates alone, and cuts inside of pairs at many lengths. */
    private static String text() {
        String[] parts = {"besom ", "é", "sweeps ", "€", "\uD83E\uDDF9", "\uDC00", "ß", "\uD800", "\u07FF\u0800\uFFFF"};
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < MAX_LENGTH; i++) {
            text.append(parts[(i * i + i / 7) % parts.length]);
        }
        return text.substring(0, MAX_LENGTH);
    }

    private static String hex(long number) {
        return String.format("%016x", number);
    }
}
