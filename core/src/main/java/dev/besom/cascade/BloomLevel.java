package dev.besom.cascade;

import dev.besom.bits.Multiply;
import dev.besom.bits.Words;
import dev.besom.bloom.BloomMath;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
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

    static final int PARAMETER_COUNT = 4;
    static final int SECTION_COUNT = 2;

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
        long[] asked = words;
        for (int slice = 0; slice < slices; slice++) {
            long cell = cell(slice, position(hash, slice));
            if ((asked[(int) (cell >>> 6) + Words.LEAD] >>> cell & 1) == 0) {
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
        return slice * cells + Multiply.toRange(position, cells);
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
        long last = place == cells - 1 ? -1L : Multiply.rangeStart(place + 1, cells) - 1;
        return index[slice].between(Multiply.rangeStart(place, cells), last);
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

    /** The chance that a fresh question gets a "maybe" here or later, where those that go on get one with a known chance. */
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

    void putParameters(long[] parameters, int at) {
        parameters[at] = slices;
        parameters[at + 1] = cells;
        parameters[at + 2] = keys;
        parameters[at + 3] = dead.slotCount();
    }

    long[] cellWords() {
        return words;
    }

    long[] deadWords() {
        return dead.toWords();
    }

    static BloomLevel read(FilterImage image, int parameter, int section, long seed, long plannedDead) {
        long slices = image.parameter(parameter);
        long cells = image.parameter(parameter + 1);
        long keys = image.parameter(parameter + 2);
        long[] words = image.sections().get(section);
        image.check(slices >= 1 && slices <= BloomMath.MAX_PROBES, slices + " slices cannot be");
        image.check(
                cells >= Long.SIZE && cells <= Words.MAX_COUNT << 6 && (cells & 63) == 0,
                "slices of " + cells + " cells cannot be");
        image.check(
                Words.count(words) == slices * (cells >>> 6),
                Words.count(words) + " words do not hold " + slices + " slices of " + cells + " cells");
        image.check(keys >= 0, keys + " keys cannot be");
        PackedBag dead =
                PackedBag.read(image, section + 1, image.parameter(parameter + 3), slices * cells, plannedDead);
        return new BloomLevel((int) slices, cells, seed, words, dead, keys);
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
