package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.testkit.Allocation;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No hasher makes garbage. */
@Isolated
class AllocationTest {

    private static final int CALLS = 100_000;

    private static final String[] ASCII = {"", "a", "besom", "a key of thirty-three characters.", "x".repeat(1000)};
    private static final String[] MIXED = {"é", "a€b", "Grüße", "😀 and 😀", "\uD800?", "aé€😀".repeat(100)};
    private static final StringBuilder[] BUILDERS = {new StringBuilder("besom"), new StringBuilder("aé€😀")};
    private static final byte[][] BYTES = {
        {}, {1}, "besom".getBytes(StandardCharsets.UTF_8), new byte[33], new byte[1000]
    };

    private static void assertNoGarbage(LongUnaryOperator action) {
        assertThat(Allocation.leastBytesOf(CALLS, action)).isLessThan(CALLS / 10);
    }

    private static void assertNoGarbage(KeyHasher<CharSequence> hasher) {
        assertNoGarbage(i -> hasher.hash(ASCII[(int) (i % ASCII.length)]));
        assertNoGarbage(i -> hasher.hash(MIXED[(int) (i % MIXED.length)]));
        assertNoGarbage(i -> hasher.hash(BUILDERS[(int) (i % BUILDERS.length)]));
    }

    private static void assertNoGarbage(BytesHasher hasher) {
        assertNoGarbage(i -> hasher.hash(BYTES[(int) (i % BYTES.length)]));
        byte[] buffer = new byte[64];
        assertNoGarbage(i -> hasher.hash(buffer, (int) i & 31, (int) i >>> 5 & 31));
    }

    private static void assertNoGarbage(LongHasher hasher) {
        assertNoGarbage((LongUnaryOperator) hasher::hash);
    }

    @Test
    void bytesMakeNoGarbage() {
        assertNoGarbage(KeyHasher.bytes());
    }

    @Test
    void textsAsUtf8MakeNoGarbage() {
        assertNoGarbage(KeyHasher.utf8());
    }

    @Test
    void textsAsUtf16MakeNoGarbage() {
        assertNoGarbage(KeyHasher.chars());
    }

    @Test
    void numbersMakeNoGarbage() {
        assertNoGarbage(KeyHasher.longs());
    }

    @Test
    void uuidsAndIntegersMakeNoGarbage() {
        UUID[] uuids = {new UUID(0, 0), new UUID(1, -1), new UUID(Long.MIN_VALUE, 7)};
        KeyHasher<UUID> ofUuids = KeyHasher.uuids();
        IntHasher ofInts = KeyHasher.ints();
        assertNoGarbage(i -> ofUuids.hash(uuids[(int) (i % uuids.length)]));
        assertNoGarbage(i -> ofInts.hash((int) i));
    }

    @Test
    void typesOfTheUsersOwnMakeNoGarbage() {
        KeyHasher<CharSequence> texts =
                KeyHasher.of("texts", (text, sink) -> sink.putText(text).putInt(text.length()));
        assertNoGarbage(texts);
    }

    @ParameterizedTest
    @EnumSource
    void secretsMakeNoGarbage(SecretHash function) {
        HashSecret secret = HashSecret.of(1, 2);
        assertNoGarbage(KeyHasher.secretBytes(secret, function));
        assertNoGarbage(KeyHasher.secretUtf8(secret, function));
        assertNoGarbage(KeyHasher.secretLongs(secret, function));
        assertNoGarbage(KeyHasher.secretChars(secret, function));
        UUID uuid = new UUID(1, 2);
        KeyHasher<UUID> uuids = KeyHasher.secretUuids(secret, function);
        assertNoGarbage(i -> uuids.hash(uuid));
    }

    @Test
    void theInstrumentSeesGarbage() {
        assertThat(Allocation.leastBytesOf(CALLS, i -> new String(BYTES[2], StandardCharsets.UTF_8).hashCode()))
                .isGreaterThan(CALLS * 16L);
    }
}
