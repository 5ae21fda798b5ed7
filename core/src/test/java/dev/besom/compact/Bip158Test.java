package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.FastRange;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import dev.besom.hash.SecretHash;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The coder beside that of others: block filters of Bitcoin, by BIP 158. P = 19 bits of a remainder, a range of M = 784,931
 * for each key, SipHash-2-4.
 */
class Bip158Test {

    private static final int P = 19;
    private static final long M = 784_931;

    /** The stream of codes of a filter, by Besom's hash, range reduction and coder. */
    private static byte[] filterOf(byte[] key, List<byte[]> items) {
        KeyHasher<byte[]> hasher = KeyHasher.secretBytes(HashSecret.ofBytes(key), SecretHash.SIPHASH_2_4);
        long range = M * items.size();
        long[] numbers = items.stream()
                .mapToLong(item -> FastRange.place(hasher.hash(item), range))
                .sorted()
                .toArray();
        RiceStream stream = new RiceStream();
        long before = 0;
        for (long number : numbers) {
            stream.append(number - before, P);
            before = number;
        }
        return stream.toBytes();
    }

    /** The first of the BIP's own examples: the first block of the test network has one output. */
    @Test
    void theFirstBlockOfTheTestNetworkHasThePublishedFilter() {
        byte[] key = HexFormat.of().parseHex("43497fd7f826957108f4a30fd9cec3ae");
        byte[] script = HexFormat.of()
                .parseHex(
                        "4104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51e"
                                + "c112de5c384df7ba0b8d578a4c702b6bf11d5fac");
        assertThat(HexFormat.of().formatHex(filterOf(key, List.of(script)))).isEqualTo("9dfca8");
    }

    /** Whatever is coded is decoded again, by quotients and remainders. */
    @Test
    void codesAreReadAsTheyWereWritten() {
        for (int remainderBits : new int[] {1, 2, 7, 19, 33, 56}) {
            long[] gaps = LongStream.range(0, 2_000)
                    .map(i -> (Mix.expand(i, 158, remainderBits) >>> (Long.SIZE - Math.min(62, remainderBits + 7)))
                            >>> (i % 8))
                    .toArray();
            RiceStream stream = new RiceStream();
            for (long gap : gaps) {
                stream.append(gap, remainderBits);
            }
            int at = 0;
            for (long gap : gaps) {
                int quotient = RiceStream.quotient(stream.words(), at, stream.length());
                at += quotient + 1 + remainderBits;
                assertThat(((long) quotient << remainderBits)
                                + RiceStream.remainder(stream.words(), at - remainderBits, remainderBits))
                        .isEqualTo(gap);
            }
            assertThat(at).isEqualTo(stream.length());
        }
    }

    /** Its classes are found by name: they and what they need are in the build of thorough tests only. */
    @Test
    @Tag("thorough")
    void filtersAreThoseOfBitcoinS() throws ReflectiveOperationException {
        for (int count : new int[] {1, 2, 10, 1_000, 5_000}) {
            byte[] key = ByteBuffer.allocate(16)
                    .putLong(Mix.expand(count, 1, 0))
                    .putLong(Mix.expand(count, 2, 0))
                    .array();
            List<byte[]> items = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                items.add(ByteBuffer.allocate(4 + i % 70).putInt(i).array());
            }
            assertThat(filterOf(key, items)).isEqualTo(filterOfBitcoinS(key, items));
        }
    }

    private static byte[] filterOfBitcoinS(byte[] key, List<byte[]> items) throws ReflectiveOperationException {
        Class<?> bytes = Class.forName("scodec.bits.ByteVector");
        Method view = bytes.getMethod("view", byte[].class);
        List<Object> vectors = new ArrayList<>();
        for (byte[] item : items) {
            vectors.add(view.invoke(null, (Object) item));
        }
        Object buffer = Class.forName("scala.jdk.javaapi.CollectionConverters")
                .getMethod("asScala", List.class)
                .invoke(null, vectors);
        Object vector = Class.forName("scala.collection.IterableOnceOps")
                .getMethod("toVector")
                .invoke(buffer);
        Class<?> keyType = Class.forName("org.bitcoins.crypto.SipHashKey");
        Object sipKey = keyType.getMethod("apply", bytes).invoke(null, view.invoke(null, (Object) key));
        Class<?> basicType = Class.forName("org.bitcoins.core.gcs.FilterType$Basic$");
        Object basic = basicType.getField("MODULE$").get(null);
        Method p = basicType.getMethod("P");
        Method m = basicType.getMethod("M");
        Object bits = Class.forName("org.bitcoins.core.gcs.GCS")
                .getMethod(
                        "buildGCS",
                        Class.forName("scala.collection.immutable.Vector"),
                        keyType,
                        p.getReturnType(),
                        m.getReturnType())
                .invoke(null, vector, sipKey, p.invoke(basic), m.invoke(basic));
        return (byte[])
                Class.forName("scodec.bits.BitVector").getMethod("toByteArray").invoke(bits);
    }
}
