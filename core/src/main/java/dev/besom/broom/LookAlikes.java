package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import dev.besom.adaptive.RunContents;
import dev.besom.adaptive.RunOwners;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries with one quotient and one remainder, beside the stored hashes of which that is true as well.
 *
 * <p>All that tells such entries apart are their extensions. In a filter that is in step with its store no extension is a
 * prefix of another, so each has one owner; where it is not, {@link RunOwners} says which owners are certain. No entry is
 * taken for touched: a key that is not stored yet may have got an extension when it was put in.
 */
final class LookAlikes implements RunOwners.Graph {

    private final FingerprintTable table;
    private final List<Entry> entries = new ArrayList<>(2);
    private long[] hashes = {};
    private @Nullable RunContents contents;

    LookAlikes(FingerprintTable table, long hash) {
        this.table = table;
        table.gather(hash, this);
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    /** Takes those of a quotient's stored hashes that have the remainder of one of them. */
    void setHashes(long[] ofQuotient, long like) {
        long remainder = table.remainder(like);
        int count = 0;
        hashes = new long[ofQuotient.length];
        for (long hash : ofQuotient) {
            if (table.remainder(hash) == remainder) {
                hashes[count++] = hash;
            }
        }
        hashes = Arrays.copyOf(hashes, count);
    }

    /** Leaves one occurrence of a hash out, if there is one. */
    void leaveOut(long hash) {
        int at = indexOf(hash);
        if (at >= 0) {
            hashes[at] = hashes[hashes.length - 1];
            hashes = Arrays.copyOf(hashes, hashes.length - 1);
        }
    }

    /** Makes a hash the last one: moves it there if it is among them, adds it if not. */
    void putLast(long hash) {
        leaveOut(hash);
        addHash(hash);
    }

    void addHash(long hash) {
        hashes = Arrays.copyOf(hashes, hashes.length + 1);
        hashes[hashes.length - 1] = hash;
    }

    private int indexOf(long hash) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] == hash) {
                return i;
            }
        }
        return -1;
    }

    boolean hasHash(long hash) {
        return indexOf(hash) >= 0;
    }

    @Override
    public int slotCount() {
        return entries.size();
    }

    @Override
    public int hashCount() {
        return hashes.length;
    }

    @Override
    public int firstLike(int slot) {
        return contents().first(slot);
    }

    @Override
    public int collectOwnable(int hash, int[] slots) {
        RunContents known = contents();
        long following = table.following(hashes[hash]);
        return known.collect(slots, length -> known.find(0, Extensions.of(following, length)));
    }

    /** What the entries hold, all of which have the same remainder. */
    private RunContents contents() {
        RunContents known = contents;
        if (known == null) {
            long[] extensions = new long[entries.size()];
            Arrays.setAll(extensions, this::extension);
            known = new RunContents(new long[extensions.length], extensions, Extensions::length);
            contents = known;
        }
        return known;
    }

    @Override
    public boolean isTouched(int slot) {
        return false;
    }

    /** Whether an entry's fingerprint is a prefix of a hash that looks like it. */
    boolean isPrefix(int entry, long hash) {
        return Extensions.isPrefix(extension(entry), table.following(hash));
    }

    long hash(int index) {
        return hashes[index];
    }

    Entry entry(int index) {
        return entries.get(index);
    }

    long extension(int entry) {
        return entries.get(entry).extension();
    }

    /** The shortest extension that tells a hash from all others of these. */
    int lengthAmong(long owner) {
        int length = 0;
        for (long hash : hashes) {
            if (hash != owner) {
                length = Math.max(length, table.lengthBetween(owner, hash));
            }
        }
        return length;
    }

    /** The index of an entry; -1 if it is none of these. */
    int indexOf(Entry entry) {
        return entries.indexOf(entry);
    }
}
