package dev.besom.broom;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
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
 *   bins          | primary bin 0 | primary bin 1 | ... | primary bin 92 | ...          a cache line each
 *   group 0       | overflow page |                                                     for what had no room
 * </pre>
 *
 * Where remainders are small, that is all there is. At rates below 1/300 they are large, and bins hold only their first bits;
 * the rest is in an array beside them, and a back yard of whole hashes takes the place of overflow pages: {@link YardTable}.
 *
 * <p>The bits are drawn in {@link BinLayout} and {@link ExtensionCode}, the sizes derived in {@code docs/adaptivity.md}.
 *
 * <p>No fingerprint is a prefix of another: where a new key meets the fingerprint of a stored one, both get extensions that
 * tell them apart, and the stored hashes are read once for it. That cannot be had for two keys with the same hash, nor
 * while it is uncertain whose a fingerprint is because inserts or deletes are in flight, nor where neither bin nor spill has
 * room, which {@link #binStatistics()} counts: no repair is given up for it. Then fingerprints are left as they are, and no
 * key is lost.
 *
 * <p>Departures from the paper: bins and groups have practical sizes, from tails instead of powers of logarithms; what has no
 * room in a bin is what follows all else in it, and goes to a page of its neighbourhood that is as long as it has to be,
 * instead of to a bin that a second hash names; when a key leaves a full bin another comes back to it from overflow, so that the
 * sizes hold for any history.
 *
 * <p>Cost: a query reads one cache line, and one in thirty a page more. An insert moves half a bin's slots, and reads the store once where it meets a look-alike. A repair and
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
            "most bits a key for bins whose extensions do not fit into them, 0 to 0.5; default 0.14, more at rates above 1 %",
            "moves",
            "keys that change to the next hash function at each false positive when three quarters of the spill are taken,"
                    + " fewer while less is, if the store can, 0 to 256, default 40");

    /** Where the positions of a batch are noted, so that each is computed once and a bulk query allocates nothing. */
    private static final ThreadLocal<long[]> POSITIONS = ThreadLocal.withInitial(() -> new long[Long.SIZE]);

    private final BroomShape shape;
    final FingerprintTable table;

    /** The same by its class, where remainders are small: so that queries call it directly. */
    private final @Nullable BroomTable binTable;

    /** Made once, because a bulk query allocates nothing. */
    private final Bitmaps.Batch batch = this::answer;

    private final Fingerprints fingerprints;

    private final Frontier frontier;

    private BroomFilter(BroomShape shape, Fingerprints fingerprints, Frontier frontier) {
        this.shape = shape;
        this.table = fingerprints.table();
        this.binTable = table instanceof BroomTable bins ? bins : null;
        this.fingerprints = fingerprints;
        this.frontier = frontier;
    }

    /** An empty filter before a store. */
    static BroomFilter make(FilterSpec spec, StoredHashes stored) {
        return empty(BroomShape.of(BroomPlan.of(spec)), stored);
    }

    private static BroomFilter empty(BroomShape shape, StoredHashes stored) {
        Rehash rehash = stored instanceof RehashableHashes able ? able.rehash() : Rehash.NONE;
        Fingerprints fingerprints = Fingerprints.empty(shape, stored);
        return new BroomFilter(shape, fingerprints, new Frontier(shape, stored, rehash, fingerprints));
    }

    @Override
    public BroomFilter grown(long newCapacity, StoredHashes newStored) {
        BroomFilter filter = empty(shape.withCapacity(newCapacity), newStored);
        long step = shape.runs();
        long quotients = filter.table.quotientCount();
        for (long low = 0; low < quotients; low += step) {
            long high = Math.min(low + step, quotients) - 1;
            for (long position : filter.fingerprints.read(low, high)) {
                filter.fingerprints.insertStored(position);
            }
        }
        return filter;
    }

    @Override
    public boolean mightContainHash(long hash) {
        return mightContainAt(position(hash));
    }

    private boolean mightContainAt(long position) {
        return binTable != null ? binTable.mightContain(position) : table.mightContain(position);
    }

    private long position(long hash) {
        return frontier.position(hash);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.inBatches(hashes, from, count, result, batch);
    }

    private void answer(long[] hashes, int from, int count, long[] result, int word) {
        if (frontier.isRehashed()) {
            long[] positions = POSITIONS.get();
            for (int lane = 0; lane < count; lane++) {
                positions[lane] = position(hashes[from + lane]);
            }
            answerAt(positions, 0, count, result, word);
        } else {
            answerAt(hashes, from, count, result, word);
        }
    }

    private void answerAt(long[] positions, int from, int count, long[] result, int word) {
        // Reading the bins and nothing else keeps as many reads in flight as the processor can have; then they are in
        // the cache. What was read goes where the answers will, lest the loop be left out.
        result[word] = prefetch(positions, from, count);
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            maybe |= (mightContainAt(positions[from + lane]) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }

    private long prefetch(long[] positions, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= table.firstWord(positions[from + lane]);
        }
        return all;
    }

    @Override
    public boolean insertHash(long hash) {
        prepareChange();
        if (frontier.owesNothing()) {
            return fingerprints.insert(position(hash));
        }
        boolean isNew = !mightContainHash(hash);
        frontier.advance();
        fingerprints.insert(position(hash));
        return isNew;
    }

    /** Brings to an end what earlier changes could not. */
    private void prepareChange() {
        frontier.settle();
        fingerprints.retryDelete();
    }

    /**
     * Takes out a fingerprint of a hash that neither a stored hash nor a key in flight needs; false if there is none. That
     * works alike before and after the hash is taken out of the store. Where a fingerprint cannot be told from that of a key in
     * flight the answer is false too, and it is taken out by a later change of the filter.
     */
    @Override
    public boolean deleteHash(long hash) {
        prepareChange();
        long before = fingerprints.leftOver();
        boolean isDeleted = fingerprints.delete(position(hash));
        frontier.owe(fingerprints.leftOver() - before);
        return isDeleted;
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
        prepareChange();
        frontier.owe(1);
        frontier.advance();
        return fingerprints.repair(position(hash));
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
     * @param forgotten extensions that were shortened to make room, or could not be restored for want of it
     * @param unseparated how often a key could not be told from another because neither its bin nor the spill had room
     */
    public record BinStatistics(
            long overflowed, long extensionBits, int spilledBins, long forgotten, long unseparated) {}

    /** What the bins look like now; goes through all of them. */
    public BinStatistics binStatistics() {
        return new BinStatistics(
                table.overflowed(),
                table.extensionBits(),
                table.spilledBins(),
                fingerprints.forgotten(),
                fingerprints.unseparated());
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
        frontier.settle();
        Rehash rehash = frontier.rehash();
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
        BroomForm.FORM.check(image);
        try {
            BroomShape shape = BroomShape.of(image);
            Rehash rehash = rehash(image);
            image.check(isInStep(rehash, stored), "the stored hashes have another hash function");
            Fingerprints fingerprints = Fingerprints.read(shape, stored, image);
            BroomFilter filter =
                    new BroomFilter(shape, fingerprints, new Frontier(shape, stored, rehash, fingerprints));
            filter.checkInvariants();
            fingerprints.readInFlight(image);
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
