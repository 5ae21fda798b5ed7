package dev.besom.guard;

import dev.besom.hash.HashSecret;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Finds the hasher of a guard.
 *
 * <p>The store's hashes are those of one hasher for ever, so the store's notes name it, and another one is refused. A
 * hasher that was made without a seed says only what keys look like: the guard takes the secret hasher of such keys,
 * with a random secret that is made once and kept in the store's notes. Whoever can read those can read the keys
 * themselves. A hasher with a seed or a secret of its own is taken as it is.
 */
final class GuardHasher {

    private static final String SECRET_NOTE = "besom.secret";
    private static final String STAMP_NOTE = "besom.hasher";

    /** To find out whether a hasher takes secrets, before one is made and noted. */
    private static final HashSecret ANY = HashSecret.of(0, 0);

    private GuardHasher() {}

    /**
     * The hasher for a store.
     *
     * @param hasHashes whether there are any hashes in the store
     * @throws IllegalArgumentException if they cannot be of this hasher
     */
    static <K> KeyHasher<? super K> choose(
            KeyHasher<? super K> given, Dictionary.Notes notes, BooleanSupplier hasHashes) {
        KeyHasher<? super K> chosen =
                given.stamp().hasDefaultSeed() ? withSecret(given, () -> secret(notes, hasHashes)) : given;
        HasherStamp stamp = chosen.stamp();
        byte[] record = ByteBuffer.allocate(Long.BYTES + stamp.id().length())
                .putLong(stamp.seed())
                .put(stamp.id().getBytes(StandardCharsets.US_ASCII))
                .array();
        byte[] noted = notes.read(STAMP_NOTE);
        if (noted == null) {
            notes.write(STAMP_NOTE, record);
        } else if (!Arrays.equals(noted, record)) {
            throw new IllegalArgumentException("the store's hashes were made by another hasher than '" + stamp.id()
                    + "' with this seed or secret");
        }
        return chosen;
    }

    /** Whether there is a note of the hasher. */
    static boolean isNoted(Dictionary.Notes notes) {
        return notes.read(STAMP_NOTE) != null;
    }

    private static HashSecret secret(Dictionary.Notes notes, BooleanSupplier hasHashes) {
        byte[] noted = notes.read(SECRET_NOTE);
        if (noted != null) {
            return HashSecret.ofBytes(noted);
        }
        if (hasHashes.getAsBoolean()) {
            throw new IllegalArgumentException(
                    "the store has hashes already, and no secret of their hasher in its notes:"
                            + " name the hasher that made them, with its seed");
        }
        HashSecret secret = HashSecret.random();
        notes.write(SECRET_NOTE, secret.toBytes());
        return secret;
    }

    /** The hasher of the same keys under a secret; a hasher that has none is taken as it is. */
    private static <K> KeyHasher<K> withSecret(KeyHasher<K> plain, Supplier<HashSecret> secret) {
        return plain.withSecret(ANY).isPresent()
                ? plain.withSecret(secret.get()).orElseThrow()
                : plain;
    }
}
