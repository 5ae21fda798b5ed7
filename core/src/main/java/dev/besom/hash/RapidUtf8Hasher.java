package dev.besom.hash;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Texts by the hash that {@link RapidBytesHasher} gives to their bytes in UTF-8, which are never laid out in an array.
 *
 * <p>An ASCII text is read as if it were bytes. Any other is encoded eight bytes at a time into a hash stream, which
 * each thread keeps for its next text. A text whose {@code charAt} hashes a text itself finds the stream taken and gets
 * a new one.
 */
final class RapidUtf8Hasher implements KeyHasher<CharSequence> {

    private static final ByteAccess<CharSequence> ASCII = new AsciiAccess();

    private final long seed;
    private final Hasher64 hasher;
    private final ThreadLocal<Holder> holders = ThreadLocal.withInitial(Holder::new);

    RapidUtf8Hasher(long seed) {
        this.seed = seed;
        this.hasher = Hashing.rapidhashV3(seed);
    }

    @Override
    public long hash(CharSequence key) {
        return Utf8.isAscii(key) ? hasher.hashBytesToLong(key, 0, key.length(), ASCII) : hashEncoded(key);
    }

    private long hashEncoded(CharSequence text) {
        Holder holder = holders.get();
        HashStream64 stream = holder.take(hasher);
        long word = 0;
        int bits = 0;
        int length = text.length();
        for (int at = 0; at < length; ) {
            long encoded = Utf8.encode(text, at, length);
            int encodedBits = Utf8.bitCount(encoded);
            at += Utf8.charCount(encoded);
            word |= Utf8.bytes(encoded) << bits;
            bits += encodedBits;
            if (bits >= Long.SIZE) {
                stream.putLong(word);
                bits -= Long.SIZE;
                word = Utf8.bytes(encoded) >>> (encodedBits - bits);
            }
        }
        for (; bits > 0; bits -= Byte.SIZE) {
            stream.putByte((byte) word);
            word >>>= Byte.SIZE;
        }
        long hash = stream.getAsLong();
        holder.stream = stream;
        return hash;
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(HasherStamp.BYTES_ID, seed);
    }

    @Override
    public Optional<KeyHasher<CharSequence>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(KeyHasher.secretUtf8(secret, function));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }

    /** A thread's stream; null while it is in use, and after a text that failed half-way. */
    private static final class Holder {

        private @Nullable HashStream64 stream;

        HashStream64 take(Hasher64 hasher) {
            HashStream64 kept = stream;
            stream = null;
            return kept == null ? hasher.hashStream() : kept.reset();
        }
    }

    /** An ASCII text as the bytes that it is. */
    private static final class AsciiAccess implements ByteAccess<CharSequence> {

        @Override
        public byte getByte(CharSequence text, long index) {
            return (byte) text.charAt((int) index);
        }

        @Override
        public int getInt(CharSequence text, long index) {
            return Utf8.fourAscii(text, (int) index);
        }

        @Override
        public long getLong(CharSequence text, long index) {
            return Utf8.eightAscii(text, (int) index);
        }
    }
}
