package dev.besom.bloomier;

import dev.besom.Approximator;
import dev.besom.FilterSpec;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.bloom.BloomMath;
import dev.besom.bloom.BloomPlaces;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Locale;

/**
 * A compact approximator: a Bloom filter of lattice elements. A key has a few cells; joining an element to the key joins it to
 * each of them, and the key's element is the meet of what they hold.
 *
 * <pre>
 *   join 5 to key     cells  | 0 | 5 | 0 | 9 | 0 | 5 |        of the lattice of maxima; 9 is another key's
 *                                  ^       ^       ^
 *   element of key    min(5, 9, 5) = 5
 * </pre>
 *
 * Each of its cells is at or above what was joined to a key, so their meet is too. With 0 and 1 for elements the bits are those of
 * a Bloom filter.
 *
 * <p>Smallest numbers are kept as their distance from the largest one, so that the least element is 0 in every lattice.
 *
 * <p>Cost: as many cells as a Bloom filter has bits, each as wide as an element. Not safe for concurrent use.
 *
 * <p>P. Boldi and S. Vigna: Mutable strings in Java: design, implementation and lightweight text-search algorithms. Science of
 * Computer Programming 2005.
 */
public final class CompactApproximator implements Approximator, PersistentFilter {

    static final String KIND = "compact-approximator";

    private static final int WIDEST = 32;

    /** By their numbers in files. */
    private static final List<Lattice> LATTICES = List.of(Lattice.BOOLEAN, Lattice.MAX, Lattice.MIN, Lattice.SETS);

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField CELLS = FORM.whole("cells", "how many cells there are, a multiple of 64");
    private static final LongField PROBES = FORM.whole("probes", "cells a key has, 1 to 64");
    private static final LongField LATTICE = FORM.whole("lattice", "0 boolean, 1 max, 2 min, 3 sets");
    private static final LongField ELEMENT_BITS = FORM.whole("elementBits", "bits of a cell, 1 to 32");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "keys that were new when they came");
    private static final Section TABLE =
            FORM.section("table", "cells, packed, smallest numbers inverted; and a word of 0");

    private final PackedArray cells;
    private final BloomPlaces places;
    private final Lattice lattice;
    private final long seed;
    private final long greatest;
    private long count;

    private CompactApproximator(PackedArray cells, int probes, Lattice lattice, long seed) {
        this.cells = cells;
        this.places = BloomPlaces.of(cells.length(), probes, seed);
        this.lattice = lattice;
        this.seed = seed;
        this.greatest = (1L << cells.widthInBits()) - 1;
    }

    static CompactApproximator make(FilterSpec spec) {
        Lattice lattice = lattice(spec.option("lattice", "boolean"));
        int width = (int) spec.option("elementBits", lattice == Lattice.BOOLEAN ? 1 : 8, 1, WIDEST);
        if (lattice == Lattice.BOOLEAN && width != 1) {
            throw new IllegalArgumentException("option elementBits must be 1 for the lattice boolean, not " + width);
        }
        int probes = (int) spec.option("probes", BloomMath.fewProbes(spec.fpp()), 1, BloomMath.MAX_PROBES);
        long bits = Words.forBits(BloomMath.bits(spec.capacity(), spec.fpp(), probes)) << 6;
        return new CompactApproximator(new PackedArray(bits, width), probes, lattice, spec.seed());
    }

    private static Lattice lattice(String name) {
        return LATTICES.stream()
                .filter(lattice -> lattice.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "option lattice must be boolean, max, min or sets, not '" + name + "'"));
    }

    /** The form of an element in cells, and back. */
    private long inverted(long element) {
        return lattice == Lattice.MIN ? greatest - element : element;
    }

    private long join(long one, long other) {
        return lattice == Lattice.SETS ? one | other : Math.max(one, other);
    }

    private long meet(long one, long other) {
        return lattice == Lattice.SETS ? one & other : Math.min(one, other);
    }

    @Override
    public boolean joinHash(long hash, long element) {
        Entries.checkValue(element, cells.widthInBits());
        return joinCells(hash, inverted(element));
    }

    private boolean joinCells(long hash, long element) {
        long start = places.start(hash);
        long before = greatest;
        for (int probe = 0; probe < places.probes(); probe++) {
            long place = places.place(start, probe);
            long cell = cells.get(place);
            before = meet(before, cell);
            cells.set(place, join(cell, element));
        }
        boolean isNew = before == 0 && element != 0;
        count += isNew ? 1 : 0;
        return isNew;
    }

    private long cellsOf(long hash) {
        long start = places.start(hash);
        long found = greatest;
        for (int probe = 0; probe < places.probes() && found != 0; probe++) {
            found = meet(found, cells.get(places.place(start, probe)));
        }
        return found;
    }

    @Override
    public long elementOfHash(long hash) {
        return inverted(cellsOf(hash));
    }

    @Override
    public boolean mightContainHash(long hash) {
        return cellsOf(hash) != 0;
    }

    @Override
    public boolean insertHash(long hash) {
        return joinCells(hash, greatest);
    }

    @Override
    public Lattice lattice() {
        return lattice;
    }

    @Override
    public int elementBits() {
        return cells.widthInBits();
    }

    @Override
    public long bottom() {
        return inverted(0);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return cells.sizeInBits();
    }

    /** {@inheritDoc} Of sets it is the chance that no cell is empty, which is more: they may have nothing in common. */
    @Override
    public double expectedFpp() {
        long taken = 0;
        for (long cell = 0; cell < cells.length(); cell++) {
            taken += cells.get(cell) == 0 ? 0 : 1;
        }
        return Math.pow((double) taken / cells.length(), places.probes());
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(CELLS, cells.length())
                .set(PROBES, places.probes())
                .set(LATTICE, LATTICES.indexOf(lattice))
                .set(ELEMENT_BITS, cells.widthInBits())
                .set(SEED, seed)
                .set(COUNT, count)
                .set(TABLE, cells.words())
                .image();
    }

    static CompactApproximator read(FilterImage image) {
        FORM.check(image);
        int width = (int) image.get(ELEMENT_BITS, 1, WIDEST);
        Lattice lattice = LATTICES.get((int) image.get(LATTICE, 0, LATTICES.size() - 1L));
        image.check(lattice != Lattice.BOOLEAN || width == 1, "truth values of " + width + " bits");
        long cellCount = image.get(CELLS, Long.SIZE, (Words.MAX_COUNT - 1) * Long.SIZE / width);
        image.check((cellCount & 63) == 0, cellCount + " cells are no whole number of words");
        long[] words = image.get(TABLE);
        image.check(Words.count(words) == PackedArray.wordCount(cellCount, width), "a wrong number of cells");
        PackedArray cells = image.checked(() -> PackedArray.checked(words, cellCount, width));
        int probes = (int) image.get(PROBES, 1, BloomMath.MAX_PROBES);
        CompactApproximator approximator = new CompactApproximator(cells, probes, lattice, image.get(SEED));
        approximator.count = image.get(COUNT, 0, Long.MAX_VALUE);
        return approximator;
    }
}
