package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that are neither bytes, texts nor 64-bit numbers. */
class KeyTypesTest {

    private static final HashSecret SECRET = HashSecret.of(3, 5);

    private record Seat(String train, int number) {}

    private static void feed(Seat seat, KeySink sink) {
        sink.putText(seat.train()).putInt(seat.number());
    }

    @ParameterizedTest
    @EnumSource
    void aUuidHasTheHashOfItsBytes(SecretHash function) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
            assertThat(KeyHasher.uuids(i).hash(uuid))
                    .isEqualTo(KeyHasher.bytes(i).hash(bytes));
            assertThat(KeyHasher.secretUuids(SECRET, function).hash(uuid))
                    .isEqualTo(KeyHasher.secretBytes(SECRET, function).hash(bytes));
        }
        assertThat(KeyHasher.uuids(7).stamp()).isEqualTo(KeyHasher.bytes(7).stamp());
    }

    @ParameterizedTest
    @EnumSource
    void anIntegerHasTheHashOfTheLongThatEqualsIt(SecretHash function) {
        for (int number : new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 123_456_789}) {
            assertThat(KeyHasher.ints(9).hash(number))
                    .isEqualTo(KeyHasher.longs(9).hash((long) number))
                    .isEqualTo(KeyHasher.ints(9).hash(Integer.valueOf(number)));
            assertThat(KeyHasher.secretInts(SECRET, function).hash(number))
                    .isEqualTo(KeyHasher.secretLongs(SECRET, function).hash((long) number));
        }
        assertThat(KeyHasher.ints().stamp()).isEqualTo(KeyHasher.longs().stamp());
    }

    @ParameterizedTest
    @EnumSource
    void partsAreHashedAsTheirBytes(SecretHash function) {
        byte[] text = "Grüße".getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES + text.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(text.length)
                .put(text)
                .putInt(42)
                .array();
        Seat seat = new Seat("Grüße", 42);
        assertThat(KeyHasher.of("seat", KeyTypesTest::feed, 8).hash(seat))
                .isEqualTo(KeyHasher.bytes(8).hash(bytes));
        assertThat(KeyHasher.secretOf("seat", KeyTypesTest::feed, SECRET, function)
                        .hash(seat))
                .isEqualTo(KeyHasher.secretBytes(SECRET, function).hash(bytes));
        assertThat(KeyHasher.<Seat>ofBytes("seat", key -> bytes, 8).hash(seat))
                .isEqualTo(KeyHasher.bytes(8).hash(bytes));
    }

    @Test
    void partsOfOtherLengthsHaveOtherBytes() {
        KeyHasher<List<String>> hasher = KeyHasher.of("list", (list, sink) -> list.forEach(sink::putText));
        Set<Long> hashes = new HashSet<>();
        List<List<String>> keys = List.of(
                List.of("ab", "c"),
                List.of("a", "bc"),
                List.of("abc"),
                List.of("abc", ""),
                List.of("", "abc"),
                List.of(),
                List.of(""));
        keys.forEach(key -> hashes.add(hasher.hash(key)));
        assertThat(hashes).hasSameSizeAs(keys);
    }

    @Test
    void longPartsAreHashedWhole() {
        KeyHasher<String> hasher = KeyHasher.of("text", (text, sink) -> sink.putText(text));
        String text = "aé€\uD83E\uDDF9".repeat(50_000);
        assertThat(hasher.hash(text)).isEqualTo(hasher.hash(text)).isNotEqualTo(hasher.hash(text + "x"));
        assertThat(hasher.hash("short")).isEqualTo(hasher.hash("short"));
    }

    @Test
    void aFeederMayHashAKeyItself() {
        KeyHasher<String> inner = KeyHasher.of("inner", (text, sink) -> sink.putText(text));
        KeyHasher<String>[] outer = hashers(1);
        outer[0] = KeyHasher.of("outer", (text, sink) -> {
            sink.putText(text);
            if (text.length() > 1) {
                sink.putLong(outer[0].hash(text.substring(1))).putLong(inner.hash(text));
            }
        });
        assertThat(outer[0].hash("besom")).isEqualTo(outer[0].hash("besom")).isNotEqualTo(outer[0].hash("besoms"));
    }

    @SuppressWarnings("unchecked")
    private static KeyHasher<String>[] hashers(int count) {
        return (KeyHasher<String>[]) new KeyHasher<?>[count];
    }

    @Test
    void aFeederThatFailsLeavesNothingBehind() {
        KeyHasher<Seat> hasher = KeyHasher.of("seat", (seat, sink) -> {
            sink.putText(seat.train());
            if (seat.number() < 0) {
                throw new IllegalStateException("no such seat");
            }
            sink.putInt(seat.number());
        });
        long before = hasher.hash(new Seat("a", 1));
        try {
            hasher.hash(new Seat("b", -1));
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("no such seat");
        }
        assertThat(hasher.hash(new Seat("a", 1))).isEqualTo(before);
    }

    @Test
    void everyHasherTakesASecretForTheSameKeys() {
        assertThat(secret(KeyHasher.bytes(), new byte[] {1}))
                .isEqualTo(KeyHasher.secretBytes(SECRET).hash(new byte[] {1}));
        assertThat(secret(KeyHasher.utf8(), "é"))
                .isEqualTo(KeyHasher.secretUtf8(SECRET).hash("é"));
        assertThat(secret(KeyHasher.chars(), "é"))
                .isEqualTo(KeyHasher.secretChars(SECRET).hash("é"));
        assertThat(secret(KeyHasher.longs(), 5L))
                .isEqualTo(KeyHasher.secretLongs(SECRET).hash(5));
        assertThat(secret(KeyHasher.ints(), 5))
                .isEqualTo(KeyHasher.secretInts(SECRET).hash(5));
        UUID uuid = new UUID(1, 2);
        assertThat(secret(KeyHasher.uuids(), uuid))
                .isEqualTo(KeyHasher.secretUuids(SECRET).hash(uuid));
        Seat seat = new Seat("a", 1);
        assertThat(secret(KeyHasher.of("seat", KeyTypesTest::feed), seat))
                .isEqualTo(
                        KeyHasher.secretOf("seat", KeyTypesTest::feed, SECRET).hash(seat));
    }

    private static <K> long secret(KeyHasher<K> hasher, K key) {
        return hasher.withSecret(SECRET).orElseThrow().hash(key);
    }

    @Test
    void codeUnitsUnderASecretTellSurrogatesApart() {
        KeyHasher<CharSequence> hasher = KeyHasher.secretChars(SECRET);
        assertThat(hasher.hash("\uD800")).isNotEqualTo(hasher.hash("?")).isNotEqualTo(hasher.hash("\uDC00"));
        assertThat(hasher.hash("besom"))
                .isEqualTo(KeyHasher.secretBytes(SECRET).hash("besom".getBytes(StandardCharsets.UTF_16LE)));
    }
}
