package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HasherStampTest {

    private static final HashSecret SECRET = HashSecret.of(-1, 7);

    @Test
    void aStampLeadsBackToItsHasher() {
        byte[] bytes = {1, 2, 3};
        assertThat(KeyHasher.bytes(3).stamp().toBytesHasher().hash(bytes))
                .isEqualTo(KeyHasher.bytes(3).hash(bytes));
        assertThat(KeyHasher.bytes(3).stamp().toUtf8Hasher().hash("é"))
                .isEqualTo(KeyHasher.utf8(3).hash("é"));
        assertThat(KeyHasher.chars(3).stamp().toCharsHasher().hash("é"))
                .isEqualTo(KeyHasher.chars(3).hash("é"));
        assertThat(KeyHasher.longs(3).stamp().toLongHasher().hash(5))
                .isEqualTo(KeyHasher.longs(3).hash(5));
    }

    @ParameterizedTest
    @EnumSource
    void aSecretStampLeadsBackWithTheSecretOnly(SecretHash function) {
        byte[] bytes = {1, 2, 3};
        HasherStamp ofBytes = KeyHasher.secretBytes(SECRET, function).stamp();
        HasherStamp ofLongs = KeyHasher.secretLongs(SECRET, function).stamp();
        HasherStamp ofChars = KeyHasher.secretChars(SECRET, function).stamp();
        assertThat(ofChars.toCharsHasher(SECRET).hash("é"))
                .isEqualTo(KeyHasher.secretChars(SECRET, function).hash("é"));
        assertThatIllegalArgumentException().isThrownBy(ofChars::toCharsHasher);
        assertThat(ofBytes.isSecret()).isTrue();
        assertThat(ofBytes.toBytesHasher(SECRET).hash(bytes))
                .isEqualTo(KeyHasher.secretBytes(SECRET, function).hash(bytes));
        assertThat(ofBytes.toUtf8Hasher(SECRET).hash("é"))
                .isEqualTo(KeyHasher.secretUtf8(SECRET, function).hash("é"));
        assertThat(ofLongs.toLongHasher(SECRET).hash(5))
                .isEqualTo(KeyHasher.secretLongs(SECRET, function).hash(5));
        assertThatIllegalArgumentException()
                .isThrownBy(ofBytes::toBytesHasher)
                .withMessage("the hasher '" + ofBytes.id() + "' needs its secret");
        assertThatIllegalArgumentException().isThrownBy(ofLongs::toLongHasher);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ofBytes.toBytesHasher(HashSecret.of(-1, 8)))
                .withMessage("the secret is not the one of this '" + ofBytes.id() + "' hasher");
    }

    @Test
    void aStampOfTheUsersOwnKeysHasTheirName() {
        HasherStamp stamp = KeyHasher.<String>of("seat", (key, sink) -> sink.putText(key), 3)
                .stamp();
        assertThat(stamp).isEqualTo(new HasherStamp("user:seat:rapidhash3:1", 3));
        assertThat(stamp.userName()).contains("seat");
        assertThat(stamp.isSecret()).isFalse();
        HasherStamp secret = KeyHasher.<String>secretOf("seat", (key, sink) -> sink.putText(key), SECRET)
                .stamp();
        assertThat(secret.id()).isEqualTo("user:seat:siphash24:1");
        assertThat(secret.userName()).contains("seat");
        assertThat(secret.isSecret()).isTrue();
        assertThat(KeyHasher.bytes().stamp().userName()).isEmpty();
        assertThat(new HasherStamp("user:", 0).userName()).isEmpty();
        for (String name : new String[] {"", "a b", "a:b", "é", "x".repeat(101)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KeyHasher.<String>ofBytes(name, key -> new byte[0]))
                    .withMessageContaining("the name of a hasher");
        }
    }

    @Test
    void onlyAHasherMadeWithoutSeedOrSecretHasTheDefaultSeed() {
        assertThat(KeyHasher.uuids().stamp().hasDefaultSeed()).isTrue();
        assertThat(KeyHasher.<String>of("seat", (key, sink) -> sink.putText(key))
                        .stamp()
                        .hasDefaultSeed())
                .isTrue();
        assertThat(KeyHasher.longs(5).stamp().hasDefaultSeed()).isFalse();
        assertThat(KeyHasher.secretLongs(SECRET).stamp().hasDefaultSeed()).isFalse();
        assertThat(HasherStamp.NONE.hasDefaultSeed()).isFalse();
    }

    @Test
    void whatSuitsNoHasherIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HasherStamp("bytes:crc:1", 0).toBytesHasher())
                .withMessage("no hasher is known by the name 'bytes:crc:1'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyHasher.longs().stamp().toBytesHasher())
                .withMessage("the hasher 'longs:mix:1' is not for bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyHasher.bytes().stamp().toLongHasher())
                .withMessage("the hasher 'bytes:rapidhash3:1' is not for 64-bit numbers");
        assertThatIllegalArgumentException()
                .isThrownBy(HasherStamp.NONE::toUtf8Hasher)
                .withMessage("the filter was given bare hashes, so there is no hasher for texts as UTF-8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyHasher.bytes().stamp().toBytesHasher(SECRET))
                .withMessage("the hasher 'bytes:rapidhash3:1' has a seed and takes no secret");
    }

    @Test
    void aSecretIsNeverShown() {
        HashSecret secret = HashSecret.of(0x1122334455667788L, 0x99AABBCCDDEEFF00L);
        String shown = secret + " " + KeyHasher.secretBytes(secret) + " "
                + KeyHasher.secretLongs(secret).stamp();
        assertThat(shown)
                .contains("HashSecret[hidden]")
                .doesNotContainIgnoringCase("1122334455667788")
                .doesNotContain(Long.toString(0x1122334455667788L))
                .doesNotContain(Long.toString(0x99AABBCCDDEEFF00L));
    }

    @Test
    void aSecretSurvivesItsBytes() {
        HashSecret secret = HashSecret.random();
        HashSecret read = HashSecret.ofBytes(secret.toBytes());
        assertThat(read).isEqualTo(secret).hasSameHashCodeAs(secret);
        assertThat(KeyHasher.secretUtf8(read).hash("besom"))
                .isEqualTo(KeyHasher.secretUtf8(secret).hash("besom"));
        assertThat(HashSecret.random()).isNotEqualTo(secret);
        assertThatIllegalArgumentException().isThrownBy(() -> HashSecret.ofBytes(new byte[15]));
    }
}
