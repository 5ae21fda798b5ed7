package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SipHashTest {

    /** The key 00 01 .. 0f of the authors' vectors. */
    private static final HashSecret SECRET = HashSecret.of(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);

    /** The authors' vectors of SipHash-2-4: the hash of the bytes 00 01 .. (i - 1) at index i. */
    private static final long[] VECTORS_2_4 = {
        0x726FDB47DD0E0E31L, 0x74F839C593DC67FDL, 0x0D6C8009D9A94F5AL, 0x85676696D7FB7E2DL,
        0xCF2794E0277187B7L, 0x18765564CD99A68DL, 0xCBC9466E58FEE3CEL, 0xAB0200F58B01D137L,
        0x93F5F5799A932462L, 0x9E0082DF0BA9E4B0L, 0x7A5DBBC594DDB9F3L, 0xF4B32F46226BADA7L,
        0x751E8FBC860EE5FBL, 0x14EA5627C0843D90L, 0xF723CA908E7AF2EEL, 0xA129CA6149BE45E5L,
        0x3F2ACC7F57C29BDBL, 0x699AE9F52CBE4794L, 0x4BC1B3F0968DD39CL, 0xBB6DC91DA77961BDL,
        0xBED65CF21AA2EE98L, 0xD0F2CBB02E3B67C7L, 0x93536795E3A33E88L, 0xA80C038CCD5CCEC8L,
        0xB8AD50C6F649AF94L, 0xBCE192DE8A85B8EAL, 0x17D835B85BBB15F3L, 0x2F2E6163076BCFADL,
        0xDE4DAAACA71DC9A5L, 0xA6A2506687956571L, 0xAD87A3535C49EF28L, 0x32D892FAD841C342L,
        0x7127512F72F27CCEL, 0xA7F32346F95978E3L, 0x12E0B01ABB051238L, 0x15E034D40FA197AEL,
        0x314DFFBE0815A3B4L, 0x027990F029623981L, 0xCADCD4E59EF40C4DL, 0x9ABFD8766A33735CL,
        0x0E3EA96B5304A7D0L, 0xAD0C42D6FC585992L, 0x187306C89BC215A9L, 0xD4A60ABCF3792B95L,
        0xF935451DE4F21DF2L, 0xA9538F0419755787L, 0xDB9ACDDFF56CA510L, 0xD06C98CD5C0975EBL,
        0xE612A3CB9ECBA951L, 0xC766E62CFCADAF96L, 0xEE64435A9752FE72L, 0xA192D576B245165AL,
        0x0A8787BF8ECB74B2L, 0x81B3E73D20B49B6FL, 0x7FA8220BA3B2ECEAL, 0x245731C13CA42499L,
        0xB78DBFAF3A8D83BDL, 0xEA1AD565322A1A0BL, 0x60E61C23A3795013L, 0x6606D7E446282B93L,
        0x6CA4ECB15C5F91E1L, 0x9F626DA15C9625F3L, 0xE51B38608EF25F57L, 0x958A324CEB064572L
    };

    /** The same for SipHash-1-3. */
    private static final long[] VECTORS_1_3 = {
        0xABAC0158050FC4DCL, 0xC9F49BF37D57CA93L, 0x82CB9B024DC7D44DL, 0x8BF80AB8E7DDF7FBL,
        0xCF75576088D38328L, 0xDEF9D52F49533B67L, 0xC50D2B50C59F22A7L, 0xD3927D989BB11140L,
        0x369095118D299A8EL, 0x25A48EB36C063DE4L, 0x79DE85EE92FF097FL, 0x70C118C1F94DC352L,
        0x78A384B157B4D9A2L, 0x306F760C1229FFA7L, 0x605AA111C0F95D34L, 0xD320D86D2A519956L,
        0xCC4FDD1A7D908B66L, 0x9CF2689063DBD80CL, 0x8FFC389CB473E63EL, 0xF21F9DE58D297D1CL,
        0xC0DC2F46A6CCE040L, 0xB992ABFE2B45F844L, 0x7FFE7B9BA320872EL, 0x525A0E7FDAE6C123L,
        0xF464AEB267349C8CL, 0x45CD5928705B0979L, 0x3A3E35E3CA9913A5L, 0xA91DC74E4ADE3B35L,
        0xFB0BED02EF6CD00DL, 0x88D93CB44AB1E1F4L, 0x540F11D643C5E663L, 0x2370DD1F8C21D1BCL,
        0x81157B6C16A7B60DL, 0x4D54B9E57A8FF9BFL, 0x759F12781F2A753EL, 0xCEA1A3BEBF186B91L,
        0x2CF508D3ADA26206L, 0xB6101C2DA3C33057L, 0xB3F47496AE3A36A1L, 0x626B57547B108392L,
        0xC1D2363299E41531L, 0x667CC1923F1AD944L, 0x65704FFEC8138825L, 0x24F280D1C28949A6L,
        0xC2CA1CEDFAF8876BL, 0xC2164BFC9F042196L, 0xA16E9C9368B1D623L, 0x49FB169C8B5114FDL,
        0x9F3143F8DF074C46L, 0xC6FDAF2412CC86B3L, 0x7EAF49D10A52098FL, 0x1CF313559D292F9AL,
        0xC44A30DDA2F41F12L, 0x36FAE98943A71ED0L, 0x318FB34C73F0BCE6L, 0xA27ABF3670A7E980L,
        0xB4BCC0DB243C6D75L, 0x23F8D852FDB71513L, 0x8F035F4DA67D8A08L, 0xD89CD0E5B7E8F148L,
        0xF6F4E6BCF7A644EEL, 0xAEC59AD80F1837F2L, 0xC3B2F6154B6694E0L, 0x9D199062B7BBB3A8L
    };

    @Test
    void agreesWithTheAuthorsVectors() {
        byte[] message = new byte[64];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        for (int length = 0; length < 64; length++) {
            byte[] exact = Arrays.copyOf(message, length);
            assertThat(KeyHasher.secretBytes(SECRET).hash(exact))
                    .as("SipHash-2-4 of %d bytes", length)
                    .isEqualTo(VECTORS_2_4[length]);
            assertThat(KeyHasher.secretBytes(SECRET, SecretHash.SIPHASH_1_3).hash(exact))
                    .as("SipHash-1-3 of %d bytes", length)
                    .isEqualTo(VECTORS_1_3[length]);
        }
    }

    /** The bytes 00 .. 3e are ASCII, so the vectors are those of texts too; eight of them are a number. */
    @Test
    void textsAndNumbersAgreeWithTheAuthorsVectors() {
        StringBuilder text = new StringBuilder();
        for (int length = 0; length < 64; length++) {
            assertThat(KeyHasher.secretUtf8(SECRET).hash(text)).isEqualTo(VECTORS_2_4[length]);
            assertThat(KeyHasher.secretUtf8(SECRET, SecretHash.SIPHASH_1_3).hash(text))
                    .isEqualTo(VECTORS_1_3[length]);
            text.append((char) length);
        }
        assertThat(KeyHasher.secretLongs(SECRET).hash(0x0706050403020100L)).isEqualTo(VECTORS_2_4[8]);
        assertThat(KeyHasher.secretLongs(SECRET, SecretHash.SIPHASH_1_3).hash(0x0706050403020100L))
                .isEqualTo(VECTORS_1_3[8]);
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithTheDefinitionInBigNumbers(SecretHash function) {
        SplittableRandom random = new SplittableRandom(24);
        for (int length = 0; length <= 300; length++) {
            HashSecret secret = HashSecret.of(random.nextLong(), random.nextLong());
            byte[] bytes = new byte[length + 11];
            random.nextBytes(bytes);
            byte[] message = Arrays.copyOfRange(bytes, 5, 5 + length);
            assertThat(KeyHasher.secretBytes(secret, function).hash(bytes, 5, length))
                    .as("%d bytes", length)
                    .isEqualTo(byDefinition(secret, function, message));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNumberIsItsEightBytes(SecretHash function) {
        SplittableRandom random = new SplittableRandom(13);
        for (int i = 0; i < 1000; i++) {
            HashSecret secret = HashSecret.of(random.nextLong(), random.nextLong());
            long number = random.nextLong();
            byte[] bytes = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(number)
                    .array();
            assertThat(KeyHasher.secretLongs(secret, function).hash(number))
                    .isEqualTo(KeyHasher.secretBytes(secret, function).hash(bytes));
        }
    }

    @Test
    void aRangeOutsideTheArrayIsRefused() {
        assertThatThrownBy(() -> KeyHasher.secretBytes(SECRET).hash(new byte[8], 1, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** The paper's algorithm word for word, with numbers that cannot overflow unseen. */
    private static long byDefinition(HashSecret secret, SecretHash function, byte[] message) {
        byte[] padded = Arrays.copyOf(message, (message.length / 8 + 1) * 8);
        padded[padded.length - 1] = (byte) message.length;
        BigInteger k0 = unsigned(secret.toBytes(), 0);
        BigInteger k1 = unsigned(secret.toBytes(), 8);
        BigInteger[] v = {
            k0.xor(new BigInteger("736f6d6570736575", 16)),
            k1.xor(new BigInteger("646f72616e646f6d", 16)),
            k0.xor(new BigInteger("6c7967656e657261", 16)),
            k1.xor(new BigInteger("7465646279746573", 16))
        };
        for (int at = 0; at < padded.length; at += 8) {
            BigInteger word = unsigned(padded, at);
            v[3] = v[3].xor(word);
            rounds(v, function == SecretHash.SIPHASH_2_4 ? 2 : 1);
            v[0] = v[0].xor(word);
        }
        v[2] = v[2].xor(BigInteger.valueOf(255));
        rounds(v, function == SecretHash.SIPHASH_2_4 ? 4 : 3);
        return v[0].xor(v[1]).xor(v[2]).xor(v[3]).longValue();
    }

    private static void rounds(BigInteger[] v, int count) {
        for (int round = 0; round < count; round++) {
            halfRound(v, 0, 1, 13);
            halfRound(v, 2, 3, 16);
            v[0] = rotate(v[0], 32);
            halfRound(v, 2, 1, 17);
            halfRound(v, 0, 3, 21);
            v[2] = rotate(v[2], 32);
        }
    }

    private static void halfRound(BigInteger[] v, int sum, int other, int distance) {
        v[sum] = v[sum].add(v[other]).mod(BigInteger.ONE.shiftLeft(64));
        v[other] = rotate(v[other], distance).xor(v[sum]);
    }

    private static BigInteger rotate(BigInteger x, int distance) {
        BigInteger wide = x.shiftLeft(distance);
        return wide.mod(BigInteger.ONE.shiftLeft(64)).or(wide.shiftRight(64));
    }

    private static BigInteger unsigned(byte[] bytes, int at) {
        BigInteger result = BigInteger.ZERO;
        for (int i = 7; i >= 0; i--) {
            result = result.shiftLeft(8).or(BigInteger.valueOf(bytes[at + i] & 0xFF));
        }
        return result;
    }
}
