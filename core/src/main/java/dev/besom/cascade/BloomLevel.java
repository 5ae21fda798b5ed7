package dev.besom.cascade;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.bloom.BloomMath;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.stored.MemoryHashes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One level of an adaptive Bloom filter: cells that are free, alive or dead.
 *
 * <pre>
 *   slice 0    | 0 1 0 0 1 x 0 1 ... |        each hash function has a slice of its own
 *   slice 1    | 1 0 0 1 0 0 1 0 ... |        x: set, and marked dead beside the bits
 *   ...
 *   position   permutation j of the hash; its cell in slice j is position * cells / 2^64
 *   index      for each slice, the positions of all keys in order: the owners of a cell are one range
 * </pre>
 *
 * As each function is a permutation of the hashes, the owners' hashes follow from their positions. With a slice for
 * each function, a cell can only be set by keys that meet it under the same function, which is how the paper looks for
 * them.
 */
final class BloomLevel {

    /** A cell of the hash is free. */
    static final int ABSENT = 0;

    /** All cells are set, and at least one is dead. */
    static final int DEAD = 1;

    /** All cells are set and alive. */
    static final int ALIVE = 2;

    /** The part of an image that is one level. */
    static final ImageForm FORM = new ImageForm("level");

    static final LongField SLICES = FORM.whole("slices", "hash functions, 1 to 64");
    private static final LongField CELLS = FORM.whole("cells", "cells of a slice, a multiple of 64");
    private static final LongField KEYS = FORM.whole("keys", "keys that have come here");
    private static final LongField DEAD_SLOTS = FORM.whole("dead slots", "slots of the table of dead cells");
    private static final Section WORDS = FORM.section("words", "the cells, slice by slice; cells / 64 words each");
    private static final Section DEAD_CELLS =
            FORM.section("dead cells", "numbers of the dead cells, counted over all slices, ascending");

    private final int slices;
    private final long cells;
    private final long seed;
    private final long[] words;
    private final PackedBag dead;
    private long keys;

    /** Null until somebody needs to know who owns a cell. */
    private MemoryHashes @Nullable [] index;

    private BloomLevel(int slices, long cells, long seed, long[] words, PackedBag dead, long keys) {
        this.slices = slices;
        this.cells = cells;
        this.seed = seed;
        this.words = words;
        this.dead = dead;
        this.keys = keys;
    }

    static BloomLevel of(long keys, double rate, long seed, long plannedDead) {
        int slices = BloomMath.fewProbes(rate);
        long cells = (BloomMath.bits(keys, rate, slices) / slices + Long.SIZE) & -Long.SIZE;
        long[] words = Words.allocate(slices * (cells >>> 6));
        return new BloomLevel(slices, cells, seed, words, PackedBag.below(slices * cells, plannedDead), 0);
    }

    /** What the level says of a hash. */
    int look(long hash) {
        for (int slice = 0; slice < slices; slice++) {
            long cell = cell(slice, position(hash, slice));
            if ((words[(int) (cell >>> 6) + Words.LEAD] >>> cell & 1) == 0) {
                return ABSENT;
            }
        }
        return dead.isEmpty() || !meetsDead(hash) ? ALIVE : DEAD;
    }

    /** Whether a hash has a dead cell, so that its key belongs to a later level. */
    boolean meetsDead(long hash) {
        for (int slice = 0; slice < slices; slice++) {
            if (dead.contains(cell(slice, position(hash, slice)))) {
                return true;
            }
        }
        return false;
    }

    private long position(long hash, int slice) {
        return Mix.expand(hash, seed, slice);
    }

    private long cell(int slice, long position) {
        return slice * cells + FastRange.place(position, cells);
    }

    void add(long hash) {
        for (int slice = 0; slice < slices; slice++) {
            long position = position(hash, slice);
            long cell = cell(slice, position);
            words[(int) (cell >>> 6) + Words.LEAD] |= 1L << cell;
            if (index != null) {
                index[slice].add(position);
            }
        }
        keys++;
    }

    /** Forgets a key that was added, and frees the cells of which it was the last known owner. */
    void remove(long hash, boolean mayFree) {
        if (index == null) {
            throw new IllegalStateException("nobody knows the owners of cells");
        }
        for (int slice = 0; slice < slices; slice++) {
            long position = position(hash, slice);
            index[slice].remove(position);
            long cell = cell(slice, position);
            if (mayFree && owners(slice, cell).length == 0) {
                words[(int) (cell >>> 6) + Words.LEAD] &= ~(1L << cell);
            }
        }
        keys--;
    }

    /** Kills the cell of a hash that has the fewest owners; returns the keys that have to move on. */
    long[] kill(long hash) {
        int bestSlice = 0;
        long bestCell = cell(0, position(hash, 0));
        long[] best = owners(0, bestCell);
        for (int slice = 1; slice < slices; slice++) {
            long cell = cell(slice, position(hash, slice));
            long[] owners = owners(slice, cell);
            if (owners.length < best.length) {
                bestSlice = slice;
                bestCell = cell;
                best = owners;
            }
        }
        long[] moving = new long[best.length];
        int count = 0;
        for (long position : best) {
            long owner = Mix.unexpand(position, seed, bestSlice);
            if (!meetsDead(owner)) {
                moving[count++] = owner;
            }
        }
        dead.add(bestCell);
        return Arrays.copyOf(moving, count);
    }

    /** The positions of the keys that set a cell. */
    private long[] owners(int slice, long cell) {
        if (index == null) {
            throw new IllegalStateException("nobody knows the owners of cells");
        }
        long place = cell - slice * cells;
        return index[slice].between(FastRange.start(place, cells), FastRange.end(place, cells));
    }

    /** Builds the index of these keys. */
    void indexOwners(long[] hashes, int count) {
        MemoryHashes[] built = new MemoryHashes[slices];
        long[] positions = new long[count];
        for (int slice = 0; slice < slices; slice++) {
            for (int i = 0; i < count; i++) {
                positions[i] = position(hashes[i], slice);
            }
            built[slice] = MemoryHashes.of(positions);
        }
        index = built;
    }

    boolean isIndexed() {
        return index != null;
    }

    /** Keys in the index. */
    long indexedKeys() {
        return index == null ? 0 : index[0].count();
    }

    /** Whether the index has the key. */
    boolean isIndexed(long hash) {
        return index != null && index[0].contains(position(hash, 0));
    }

    /** The hashes of all keys of the index. */
    long[] indexedHashes() {
        long[] hashes = index == null ? new long[0] : index[0].between(0, -1L);
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = Mix.unexpand(hashes[i], seed, 0);
        }
        return hashes;
    }

    long indexSizeInBits() {
        long bits = 0;
        if (index != null) {
            for (MemoryHashes positions : index) {
                bits += positions.sizeInBits();
            }
        }
        return bits;
    }

    /** Keys that have come here, those that have moved on included. */
    long keys() {
        return keys;
    }

    long deadCells() {
        return dead.count();
    }

    long sizeInBits() {
        return ((long) Words.count(words) << 6) + dead.sizeInBits();
    }

    /** The chance that a fresh query gets a "maybe" here or later, where those that go on get one with a known chance. */
    double rate(double rateBehind) {
        long[] deadOfSlice = new long[slices];
        long[] deadCells = dead.toWords();
        for (int i = Words.LEAD; i < deadCells.length; i++) {
            long cell = deadCells[i];
            deadOfSlice[(int) (cell / cells)] += words[(int) (cell >>> 6) + Words.LEAD] >>> cell & 1;
        }
        double set = 1;
        double alive = 1;
        int sliceWords = (int) (cells >>> 6);
        for (int slice = 0; slice < slices; slice++) {
            long bits = 0;
            for (int i = 0; i < sliceWords; i++) {
                bits += Long.bitCount(words[Words.LEAD + slice * sliceWords + i]);
            }
            set *= (double) bits / cells;
            alive *= (double) (bits - deadOfSlice[slice]) / cells;
        }
        return alive + (set - alive) * rateBehind;
    }

    FilterImage image() {
        return FORM.write()
                .set(SLICES, slices)
                .set(CELLS, cells)
                .set(KEYS, keys)
                .set(DEAD_SLOTS, dead.slotCount())
                .set(WORDS, words)
                .set(DEAD_CELLS, dead.toWords())
                .image();
    }

    static BloomLevel read(FilterImage image, long seed, long plannedDead) {
        int slices = (int) image.get(SLICES, 1, BloomMath.MAX_PROBES);
        long cells = image.get(CELLS, Long.SIZE, Words.MAX_COUNT << 6);
        long keys = image.get(KEYS, 0, Long.MAX_VALUE);
        long[] words = image.get(WORDS);
        image.check((cells & 63) == 0, "slices of " + cells + " cells cannot be");
        image.check(
                Words.count(words) == slices * (cells >>> 6),
                Words.count(words) + " words do not hold " + slices + " slices of " + cells + " cells");
        PackedBag dead = PackedBag.read(image, DEAD_CELLS, image.get(DEAD_SLOTS), slices * cells, plannedDead);
        return new BloomLevel(slices, cells, seed, words, dead, keys);
    }

    /**
     * Checks the index against the cells.
     *
     * @throws IllegalStateException if an owner's cell is free
     */
    void checkInvariants() {
        for (long hash : indexedHashes()) {
            if (look(hash) == ABSENT) {
                throw new IllegalStateException("a cell of the key " + Long.toHexString(hash) + " is free");
            }
        }
    }
}
