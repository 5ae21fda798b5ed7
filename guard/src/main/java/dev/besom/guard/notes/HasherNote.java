package dev.besom.guard.notes;

import dev.besom.guard.store.Notes;
import dev.besom.hash.HashSecret;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * The note of a store's hasher, and the choice of a guard's hasher by it.
 *
 * <p>A store's hashes are those of one hasher for ever, so the store's notes name it, and another one is refused. A hasher
 * that was made without a seed says only what type keys have: the guard uses the secret hasher of such keys,
 * with a random secret that is made once and kept in the store's notes. Whoever can read those can read the keys
 * themselves. A hasher with a seed or a secret of its own is used as it is. A class of the user's own that has no form under
 * a secret is refused, unless it says that it {@linkplain KeyHasher#needsNoSecret() needs none}.
 */
public final class HasherNote {

    private static final String SECRET_NOTE = "besom.secret";
    private static final String STAMP_NOTE = "besom.hasher";

    /** To find out whether a hasher takes secrets, before one is made and noted. */
    private static final HashSecret ANY = HashSecret.of(0, 0);

    private HasherNote() {}

    /**
     * The hasher for a store.
     *
     * @param given what the user asked for
     * @param notes of the store
     * @param hasHashes whether there are any hashes in the store
     * @throws IllegalArgumentException if they cannot be of this hasher, or it has no form under a secret and does not say
     *     that it needs none
     */
    public static <K> KeyHasher<? super K> choose(KeyHasher<? super K> given, Notes notes, BooleanSupplier hasHashes) {
        boolean takesSecrets = given.withSecret(ANY).isPresent();
        if (!takesSecrets && !given.stamp().isSecret() && !given.needsNoSecret()) {
            throw new IllegalArgumentException("the hasher '" + given.stamp().id()
                    + "' has no form under a secret, so whoever knows it can make keys that collide:"
                    + " make it by KeyHasher.of, or have its class say needsNoSecret()");
        }
        KeyHasher<? super K> chosen =
                takesSecrets && given.stamp().hasDefaultSeed() ? withSecret(given, secret(notes, hasHashes)) : given;
        HasherStamp stamp = chosen.stamp();
        byte[] record = ByteBuffer.allocate(Long.BYTES + stamp.id().length())
                .putLong(stamp.seed())
                .put(stamp.id().getBytes(StandardCharsets.US_ASCII))
                .array();
        if (!Arrays.equals(notes.writeIfAbsent(STAMP_NOTE, record), record)) {
            throw new IllegalArgumentException("the store's hashes were made by another hasher than '" + stamp.id()
                    + "' with this seed or secret");
        }
        return chosen;
    }

    /** Whether there is a note of the hasher. */
    public static boolean isNoted(Notes notes) {
        return notes.read(STAMP_NOTE) != null;
    }

    private static HashSecret secret(Notes notes, BooleanSupplier hasHashes) {
        byte[] noted = notes.read(SECRET_NOTE);
        if (noted == null && hasHashes.getAsBoolean()) {
            // Another guard may have started meanwhile, and stored its first keys.
            noted = notes.read(SECRET_NOTE);
        } else if (noted == null) {
            noted = notes.writeIfAbsent(SECRET_NOTE, HashSecret.random().toBytes());
        }
        if (noted == null) {
            throw new IllegalArgumentException(
                    "the store has hashes already, and no secret of their hasher in its notes:"
                            + " name the hasher that made them, with its seed");
        }
        return HashSecret.ofBytes(noted);
    }

    /** The hasher of the same keys under a secret. */
    private static <K> KeyHasher<K> withSecret(KeyHasher<K> plain, HashSecret secret) {
        return plain.withSecret(secret).orElseThrow();
    }
}
