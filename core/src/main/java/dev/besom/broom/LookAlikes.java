package dev.besom.broom;

import dev.besom.adaptive.RunOwners;
import java.util.Arrays;

/**
 * The entries with one quotient and one remainder, beside the stored hashes of which that is true as well.
 *
 * <p>All that tells such entries apart are their extensions. In a filter that is in step with its store no extension is a
 * prefix of another, so each has one owner; where it is not, {@link RunOwners} says which owners are certain. No entry is
 * taken for touched: a key that is not stored yet may have got an extension when it was put in.
 */
final class LookAlikes implements RunOwners.Graph {

    private final FingerprintTable table;
    private int size;
    private boolean[] isOverflow = new boolean[4];
    private int[] bins = new int[4];
    private int[] slots = new int[4];
    private long[] prefixes = new long[4];
    private long[] hashes = {};

    LookAlikes(FingerprintTable table, long hash) {
        this.table = table;
        table.gather(hash, this);
    }

    void add(boolean inOverflow, int bin, int slot, long prefix) {
        if (size == bins.length) {
            isOverflow = Arrays.copyOf(isOverflow, 2 * size);
            bins = Arrays.copyOf(bins, 2 * size);
            slots = Arrays.copyOf(slots, 2 * size);
            prefixes = Arrays.copyOf(prefixes, 2 * size);
        }
        isOverflow[size] = inOverflow;
        bins[size] = bin;
        slots[size] = slot;
        prefixes[size] = prefix;
        size++;
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
        return size;
    }

    @Override
    public int hashCount() {
        return hashes.length;
    }

    @Override
    public boolean couldOwn(int hash, int slot) {
        return isPrefix(slot, hashes[hash]);
    }

    @Override
    public boolean isTouched(int slot) {
        return false;
    }

    @Override
    public boolean areEqual(int slot, int other) {
        return prefixes[slot] == prefixes[other];
    }

    /** Whether an entry's fingerprint is a prefix of a hash that looks like it. */
    boolean isPrefix(int entry, long hash) {
        return Prefix.isOf(prefixes[entry], table.following(hash));
    }

    long hash(int index) {
        return hashes[index];
    }

    boolean isOverflow(int entry) {
        return isOverflow[entry];
    }

    int bin(int entry) {
        return bins[entry];
    }

    int slot(int entry) {
        return slots[entry];
    }

    long prefix(int entry) {
        return prefixes[entry];
    }

    /** The entry at a place; -1 if it is none of these. */
    int entryAt(boolean inOverflow, int bin, int slot) {
        for (int i = 0; i < size; i++) {
            if (isOverflow[i] == inOverflow && bins[i] == bin && slots[i] == slot) {
                return i;
            }
        }
        return -1;
    }
}
