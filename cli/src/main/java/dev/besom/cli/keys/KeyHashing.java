package dev.besom.cli.keys;

import dev.besom.hash.BytesHasher;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How the keys of a filter file become hashes: by a hasher of texts or by one of numbers. */
public final class KeyHashing {

    private final HasherStamp stamp;
    private final @Nullable BytesHasher ofTexts;
    private final @Nullable LongHasher ofNumbers;

    private KeyHashing(HasherStamp stamp, @Nullable BytesHasher ofTexts, @Nullable LongHasher ofNumbers) {
        this.stamp = stamp;
        this.ofTexts = ofTexts;
        this.ofNumbers = ofNumbers;
    }

    /** The hashing for a new filter over keys of that format. */
    public static KeyHashing seeded(KeyFormat format, long seed) {
        if (format.isNumeric()) {
            LongHasher hasher = KeyHasher.longs(seed);
            return new KeyHashing(hasher.stamp(), null, hasher);
        }
        BytesHasher hasher = KeyHasher.bytes(seed);
        return new KeyHashing(hasher.stamp(), hasher, null);
    }

    /**
     * The hashing that a filter file was made with. A filter that was given bare hashes is asked with bare hashes.
     *
     * @throws BadKeysException if the command line cannot have that hasher; the message names the file
     */
    public static KeyHashing of(HasherStamp stamp, String file) {
        if (stamp.equals(HasherStamp.NONE)) {
            return new KeyHashing(stamp, null, new BareHashes());
        }
        if (stamp.isSecret()) {
            throw new BadKeysException(file + ": its keys were hashed under a secret (" + stamp.id()
                    + "), which the command line does not have");
        }
        try {
            if (stamp.isOfLongs()) {
                return new KeyHashing(stamp, null, stamp.toLongHasher());
            }
            return new KeyHashing(stamp, stamp.isOfBytes() ? stamp.toBytesHasher() : new DecodedTexts(stamp), null);
        } catch (IllegalArgumentException e) {
            throw new BadKeysException(file + ": " + e.getMessage(), e);
        }
    }

    public HasherStamp stamp() {
        return stamp;
    }

    /** Whether keys are numbers, not texts. */
    public boolean isNumeric() {
        return ofNumbers != null;
    }

    BytesHasher ofTexts() {
        if (ofTexts == null) {
            throw new IllegalStateException(stamp + " is not for texts");
        }
        return ofTexts;
    }

    LongHasher ofNumbers() {
        if (ofNumbers == null) {
            throw new IllegalStateException(stamp + " is not for numbers");
        }
        return ofNumbers;
    }

    /** Numbers that are hashes already. */
    private static final class BareHashes implements LongHasher {
        @Override
        public long hash(long key) {
            return key;
        }

        @Override
        public HasherStamp stamp() {
            return HasherStamp.NONE;
        }
    }

    /** Texts for a hasher that wants characters, not bytes. */
    private static final class DecodedTexts implements BytesHasher {

        private final KeyHasher<CharSequence> hasher;

        DecodedTexts(HasherStamp stamp) {
            this.hasher = stamp.toCharsHasher();
        }

        @Override
        public long hash(byte[] bytes, int offset, int length) {
            return hasher.hash(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }

        @Override
        public HasherStamp stamp() {
            return hasher.stamp();
        }
    }
}
