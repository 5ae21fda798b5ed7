package dev.besom.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash with 64 bits of output: a pseudo-random function under a secret of 128 bits.
 *
 * <pre>
 *   message    | word 0 | word 1 | ... | last word: up to 7 bytes, zeros, length mod 256 in the top byte |
 *   a step     v3 ^= word;  c rounds;  v0 ^= word
 *   at the end v2 ^= 0xFF;  d rounds;  v0 ^ v1 ^ v2 ^ v3
 * </pre>
 *
 * SipHash-c-d takes c rounds for each word and d at the end. The end is written as one more step here, with a word of 0,
 * so that each kind of message has its rounds in one place. State lives in local variables, hence one loop for each
 * kind of message: a shared object for it would be garbage wherever the compiler does not see through it.
 *
 * <p>J.-P. Aumasson, D. J. Bernstein: SipHash: a fast short-input PRF. INDOCRYPT 2012.
 */
final class SipHash {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    // The letters of "somepseudorandomlygeneratedbytes".
    private static final long START_0 = 0x736F6D6570736575L;
    private static final long START_1 = 0x646F72616E646F6DL;
    private static final long START_2 = 0x6C7967656E657261L;
    private static final long START_3 = 0x7465646279746573L;

    private static final int LENGTH_SHIFT = 56;
    private static final long END = 0xFF;

    private SipHash() {}

    /** The hash of a range of bytes. */
    static long hash(HashSecret secret, SecretHash function, byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int compressionRounds = function.compressionRounds();
        long v0 = secret.low() ^ START_0;
        long v1 = secret.high() ^ START_1;
        long v2 = secret.low() ^ START_2;
        long v3 = secret.high() ^ START_3;
        int at = offset;
        for (int wordsLeft = length >>> 3; ; wordsLeft--) {
            long word;
            int rounds = compressionRounds;
            if (wordsLeft > 0) {
                word = (long) WORD.get(bytes, at);
                at += Long.BYTES;
            } else if (wordsLeft == 0) {
                word = lastWord(bytes, at, length);
            } else {
                word = 0;
                rounds = function.finalRounds();
                v2 ^= END;
            }
            v3 ^= word;
            for (int round = 0; round < rounds; round++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32) + v3;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
            if (wordsLeft < 0) {
                return v0 ^ v1 ^ v2 ^ v3;
            }
        }
    }

    /** The hash of the text's bytes in UTF-8. */
    static long hash(HashSecret secret, SecretHash function, CharSequence text) {
        int compressionRounds = function.compressionRounds();
        long v0 = secret.low() ^ START_0;
        long v1 = secret.high() ^ START_1;
        long v2 = secret.low() ^ START_2;
        long v3 = secret.high() ^ START_3;
        int charCount = text.length();
        int at = 0;
        long byteCount = 0;
        // Bytes that were encoded and have found no room in the word before.
        long rest = 0;
        int restBits = 0;
        for (boolean atLast = false, atEnd = false; ; ) {
            long word = rest;
            int bits = restBits;
            int rounds = compressionRounds;
            if (!atLast) {
                rest = 0;
                long eight = bits == 0 && charCount - at >= Long.BYTES ? Utf8.eightIfAscii(text, at) : -1;
                if (eight >= 0) {
                    word = eight;
                    bits = Long.SIZE;
                    byteCount += Long.BYTES;
                    at += Long.BYTES;
                }
                while (bits < Long.SIZE && at < charCount) {
                    long encoded = Utf8.encode(text, at, charCount);
                    word |= Utf8.bytes(encoded) << bits;
                    rest = Utf8.bytes(encoded) >>> 1 >>> (Long.SIZE - 1 - bits);
                    bits += Utf8.bitCount(encoded);
                    byteCount += Utf8.bitCount(encoded) >>> 3;
                    at += Utf8.charCount(encoded);
                }
                restBits = bits - Long.SIZE;
                if (bits < Long.SIZE) {
                    atLast = true;
                    word |= byteCount << LENGTH_SHIFT;
                }
            } else {
                atEnd = true;
                word = 0;
                rounds = function.finalRounds();
                v2 ^= END;
            }
            v3 ^= word;
            for (int round = 0; round < rounds; round++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32) + v3;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
            if (atEnd) {
                return v0 ^ v1 ^ v2 ^ v3;
            }
        }
    }

    /** The hash of the number's eight bytes, the lowest first. */
    static long hash(HashSecret secret, SecretHash function, long number) {
        return hash(secret, function, number, 0, 1);
    }

    /** The hash of the two numbers' sixteen bytes, the lowest first in each. */
    static long hash(HashSecret secret, SecretHash function, long first, long second) {
        return hash(secret, function, first, second, 2);
    }

    private static long hash(HashSecret secret, SecretHash function, long first, long second, int wordCount) {
        long v0 = secret.low() ^ START_0;
        long v1 = secret.high() ^ START_1;
        long v2 = secret.low() ^ START_2;
        long v3 = secret.high() ^ START_3;
        long word = first;
        int rounds = function.compressionRounds();
        for (int step = 0; ; step++) {
            v3 ^= word;
            for (int round = 0; round < rounds; round++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32) + v3;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
            if (step < wordCount - 1) {
                word = second;
            } else if (step == wordCount - 1) {
                word = ((long) wordCount * Long.BYTES) << LENGTH_SHIFT;
            } else if (step == wordCount) {
                word = 0;
                rounds = function.finalRounds();
                v2 ^= END;
            } else {
                return v0 ^ v1 ^ v2 ^ v3;
            }
        }
    }

    private static long lastWord(byte[] bytes, int at, int length) {
        long word = (long) length << LENGTH_SHIFT;
        for (int i = 0; i < (length & Long.BYTES - 1); i++) {
            word |= (bytes[at + i] & 0xFFL) << (i << 3);
        }
        return word;
    }
}
