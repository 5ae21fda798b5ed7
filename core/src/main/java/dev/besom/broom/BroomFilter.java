package dev.besom.broom;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broom filter: it cleans up after its mistakes. Each stored key has a fingerprint that is a prefix of its hash; a
 * query is answered "maybe" exactly if some fingerprint is a prefix of the query's hash; and a fingerprint that was
 * mistaken for a key grows until it is not a prefix of that key's hash any more.
 *
 * <pre>
 *   hash          1011010011101 01101001 110 0101011...
 *                 quotient      remainder |   not kept
 *                 says where    kept      extension: kept for the few that were mistaken
 *
 *   bins          | primary bin 0 | primary bin 1 | ... | primary bin 1023 | ...        two cache lines each
 *   group 0       | overflow bin 0 | ... | overflow bin 23 |                            for what had no room
 * </pre>
 *
 * Where remainders are small, that is all there is. At rates below 1/400 they are large, and bins hold only their first bits;
 * the rest is in an array beside them, and a back yard of whole hashes takes the place of overflow bins: {@link YardTable}.
 *
 * <p>The bits are drawn in {@link BinLayout} and {@link ExtensionCode}, the sizes derived in {@code docs/broom.md}.
 *
 * <p>No fingerprint is a prefix of another: where a new key meets the fingerprint of a stored one, both get extensions that
 * tell them apart, and the stored hashes are read once for it. That cannot be had for two keys with the same hash, nor
 * while it is uncertain whose a fingerprint is because inserts or deletes are in flight; then fingerprints are left as
 * they are, and no key is lost.
 *
 * <p>Departures from the paper: bins and groups have practical sizes, from exact tails instead of powers of logarithms; the
 * second hash, which names the overflow bin, is one of quotient and remainder and not of the whole key, so that what looks
 * alike is in the same two bins; when a key leaves a full bin another comes back to it from overflow, so that the sizes hold
 * for any history.
 *
 * <p>Cost: a query reads one bin, and a second one only if the first is full and has more keys elsewhere: one bin in
 * six, at full load. An insert moves half a bin's slots, and reads the store once where it meets a look-alike. A repair and
 * a delete read the store once. When a bin has no room left for extensions, a quarter of them is shortened to what
 * tells stored keys apart; that takes a short read for each. One writer at a time.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018.
 */
public final class BroomFilter implements AdaptiveFilter, GrowableFilter, PersistentFilter {

    static final String KIND = "broom";

    static final Map<String, String> OPTIONS = Map.of(
            "spill",
            "most bits a key for bins whose extensions do not fit into them, 0 to 0.5; default 0.06, more at rates above 1 %",
            "moves",
            "keys that change to the next hash function at each false positive, if the store can, 0 to 256, default 40");

    /** More steps would not make bins more even. */
    private static final int MOST_STEP_BITS = 5;

    /** A false positive looks at no more cells than so many for each key that it should move. */
    private static final int MOST_CELLS_PER_MOVE = 4;

    private final BroomShape shape;
    final FingerprintTable table;
    private final Fingerprints fingerprints;

    /** The store, if it can change to another hash function. */
    private final @Nullable RehashableHashes rehashable;

    private Rehash rehash;

    /** Whether positions are other than hashes. */
    private boolean isRehashed;

    private long moved;

    private BroomFilter(BroomShape shape, StoredHashes stored, Rehash rehash, Fingerprints fingerprints) {
        this.shape = shape;
        this.rehashable = stored instanceof RehashableHashes able ? able : null;
        this.table = fingerprints.table();
        this.fingerprints = fingerprints;
        this.rehash = rehash;
        this.isRehashed = !rehash.equals(Rehash.NONE);
    }

    /** An empty filter before a store. */
    static BroomFilter make(FilterSpec spec, StoredHashes stored) {
        return empty(BroomShape.of(BroomPlan.of(spec)), stored);
    }

    private static BroomFilter empty(BroomShape shape, StoredHashes stored) {
        Rehash rehash = stored instanceof RehashableHashes able ? able.rehash() : Rehash.NONE;
        return new BroomFilter(shape, stored, rehash, Fingerprints.empty(shape, stored));
    }

    @Override
    public BroomFilter grown(long newCapacity, StoredHashes newStored) {
        BroomFilter filter = empty(shape.withCapacity(newCapacity), newStored);
        long step = shape.runs();
        long quotients = filter.table.quotientCount();
        for (long low = 0; low < quotients; low += step) {
            long high = Math.min(low + step, quotients) - 1;
            for (long position : filter.fingerprints.read(low, high)) {
                filter.fingerprints.insert(position);
            }
        }
        return filter;
    }

    @Override
    public boolean mightContainHash(long hash) {
        return table.mightContain(position(hash));
    }

    private long position(long hash) {
        return isRehashed ? rehash.position(hash) : hash;
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int first = from + base;
            int lanes = Math.min(Long.SIZE, count - base);
            long open = 0;
            for (int lane = 0; lane < lanes; lane++) {
                open |= table.openBit(position(hashes[first + lane])) << lane;
            }
            long word = open;
            for (; open != 0; open &= open - 1) {
                int lane = Long.numberOfTrailingZeros(open);
                if (!table.mightContain(position(hashes[first + lane]))) {
                    word ^= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    public boolean insertHash(long hash) {
        return fingerprints.insert(position(hash));
    }

    /**
     * Takes out a fingerprint of a hash that neither a stored hash nor a key in flight needs; false, and no change, if there
     * is none. That works alike before and after the hash is taken out of the store.
     */
    @Override
    public boolean deleteHash(long hash) {
        return fingerprints.delete(position(hash));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Where the store can change to another hash function, and the filter is in step with it, the next few keys move there
     * first, and all that was learned about them is given up. The query may be among those that move; what it meets then
     * is what is repaired.
     */
    @Override
    public Adaptation repairHash(long hash) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        moveSome();
        return fingerprints.repair(position(hash));
    }

    /** Moves the next keys to the next hash function, unless changes are in flight: then one side lacks a key to move. */
    private void moveSome() {
        RehashableHashes able = rehashable;
        if (able == null || shape.plan().moves() == 0 || able.count() != fingerprints.count()) {
            return;
        }
        if (rehash.isIdle()) {
            // Blocks no larger than bins, and cells of a key or two.
            int blockBits = Math.max(1, bits(shape.bins() - 1) - Rehash.PART_BITS);
            int stepBits = Math.max(1, Math.min(MOST_STEP_BITS, bits(shape.capacity()) - Rehash.PART_BITS - blockBits));
            able.begin(rehash.begun(isRehashed ? rehash.seed() : shape.plan().seed(), blockBits, stepBits));
            setRehash(able.rehash());
        }
        long wanted = moved + shape.plan().moves();
        for (int cells = 0;
                moved < wanted && cells < MOST_CELLS_PER_MOVE * shape.plan().moves();
                cells++) {
            if (!moveCell(able) || rehash.isIdle()) {
                return;
            }
        }
    }

    private static int bits(long number) {
        return Long.SIZE - Long.numberOfLeadingZeros(number);
    }

    private void setRehash(Rehash changed) {
        rehash = changed;
        isRehashed = true;
    }

    /**
     * Moves the keys of the cell at the frontier: in the filter to their new places, then in the store, then in the filter
     * from their old places. At each moment the filter holds what the store holds. False, and no change, if there is
     * no room.
     */
    private boolean moveCell(RehashableHashes able) {
        fingerprints.counts().countRangeRead();
        long[] old = able.oldBetween(rehash.firstOfCell(), rehash.lastOfCell());
        long[] fresh = new long[old.length];
        int added = 0;
        try {
            for (long position : old) {
                fresh[added] = rehash.newPosition(rehash.hashOfOld(position));
                fingerprints.insert(fresh[added]);
                added++;
            }
        } catch (FilterFullException e) {
            fingerprints.removeKnown(fresh, added);
            return false;
        }
        // If this throws, nobody knows what the store has done. The filter goes on with both places of each key.
        able.moveCell();
        setRehash(able.rehash());
        fingerprints.removeKnown(old, old.length);
        moved += old.length;
        return true;
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return fingerprints.statistics();
    }

    /**
     * What bins look like.
     *
     * @param overflowed keys that are not in their primary bins
     * @param extensionBits the lengths of all extensions together
     * @param spilledBins bins whose extensions do not fit into them
     * @param forgotten extensions that were shortened to make room
     * @param moved keys that have changed to another hash function
     */
    public record BinStatistics(long overflowed, long extensionBits, int spilledBins, long forgotten, long moved) {}

    /** What the bins look like now; goes through all of them. */
    public BinStatistics binStatistics() {
        return new BinStatistics(
                table.overflowed(), table.extensionBits(), table.spilledBins(), fingerprints.forgotten(), moved);
    }

    @Override
    public long count() {
        return fingerprints.count();
    }

    @Override
    public long sizeInBits() {
        return fingerprints.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return table.coverage();
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = BroomForm.FORM.write();
        shape.write(writer);
        fingerprints.write(writer);
        return writer.set(BroomForm.FUNCTION_SEED, rehash.seed())
                .set(BroomForm.GENERATION, rehash.generation())
                .set(BroomForm.BLOCK_BITS, rehash.blockBits())
                .set(BroomForm.STEP_BITS, rehash.stepBits())
                .set(BroomForm.FRONTIER, rehash.frontier())
                .image();
    }

    static BroomFilter read(FilterImage image, StoredHashes stored) {
        BroomShape shape = BroomShape.of(BroomForm.FORM.check(image));
        try {
            Rehash rehash = rehash(image);
            image.check(isInStep(rehash, stored), "the stored hashes have another hash function");
            BroomFilter filter = new BroomFilter(shape, stored, rehash, Fingerprints.read(shape, stored, image));
            filter.checkInvariants();
            return filter;
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
            throw new MalformedFilterException("broom: the bins are damaged: " + e.getMessage(), e);
        }
    }

    private static Rehash rehash(FilterImage image) {
        return new Rehash(
                image.get(BroomForm.FUNCTION_SEED),
                image.get(BroomForm.GENERATION),
                (int) image.get(BroomForm.BLOCK_BITS, 0, Long.SIZE),
                (int) image.get(BroomForm.STEP_BITS, 0, Long.SIZE),
                image.get(BroomForm.FRONTIER));
    }

    /** Whether ranges of the stored hashes are ranges of the filter's positions. */
    private static boolean isInStep(Rehash rehash, StoredHashes stored) {
        return stored instanceof RehashableHashes able
                ? able.rehash().equals(rehash)
                : rehash.equals(Rehash.NONE) || stored == StoredHashes.none();
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        long keys = table.check();
        if (keys != fingerprints.count()) {
            throw new IllegalStateException(
                    keys + " keys are in the bins where " + fingerprints.count() + " are counted");
        }
    }
}
