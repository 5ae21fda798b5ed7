package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a filter of another kind adaptive. A fingerprint that had a false positive is marked dead, and the keys that
 * have it move to the next level, a smaller filter of the same kind and of a far lower rate; what is left in
 * the end is kept exactly.
 *
 * <pre>
 *   query -----&gt; level 0 --not there--&gt; no
 *                   |  \---there, fingerprint alive--&gt; maybe
 *                   | there, fingerprint dead
 *                   v
 *                level 1 ... --&gt; table of whole hashes: yes or no
 * </pre>
 *
 * The kinds that levels can be of are those with a {@link SingleHashFilter}; the option {@code inner} chooses. Sizes
 * and rates follow from {@link CascadePlan}: for rates of 1/64 and less one filter and the table are all the levels
 * there are.
 *
 * <p>A moved key keeps its fingerprint in the levels that it has left, so that queries find their way. A dead
 * fingerprint stays dead, whoever comes and goes. When a level would get more keys or dead fingerprints than planned,
 * hashes are exchanged for a permutation of them, their <i>positions</i>, and the filter is built anew with no dead
 * fingerprints. What an adversary knows is worth nothing then. That repair says {@link Adaptation#FORGOT}, and reads
 * all stored hashes. Budget: that
 * keeps the rate for any number of queries, at the price of a change after each {@code moved / rate} unique queries a key since the
 * last one: 1.6 at 1 % and the usual share of keys that may move.
 *
 * <p>At first positions are hashes, and the keys of a fingerprint are one short range of the store. After the first
 * change no store has them in order, so the filter has an <i>index</i> of positions, 8.2 to 8.6 bytes a key, in memory
 * and not counted as the filter's size.
 *
 * <p>While the filter holds more keys than the store, because a change is in flight, repairs say
 * {@link Adaptation#INSEPARABLE} until the numbers agree again: a key's fingerprint must not die before the key can be moved.
 * Deletes need not wait. The filter keeps the hashes that are {@linkplain InFlight in flight}, so that no other hash is
 * taken for a key that is not stored yet.
 *
 * <p>Departures from the paper: the size of level 1 can be chosen; all hash functions change at once.
 *
 * <p>Cost: a "no" is that of level 0. A "maybe" also looks for its fingerprint among the dead ones. A repair reads one
 * range of the store. One writer at a time.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018, section 5.
 */
public final class CascadeFilter implements AdaptiveFilter, PersistentFilter {

    static final String KIND = "cascade";

    static final Map<String, String> OPTIONS = Map.of(
            CascadePlan.MOVED,
            CascadePlan.MOVED_MEANING,
            "inner",
            "the kind of the levels: quotient, the default, or tinyset");

    static final ImageForm FORM = CascadeLevels.FORM;
    private static final CascadeShape.Fields OWN = CascadeLevels.SHAPE;

    private final CascadeShape shape;
    private final CountedHashes stored;
    private final InFlight inFlight;
    private final RepairCounts repairs;

    private CascadeLevels levels;
    private long generation;
    private long count;

    /** The positions of all keys, once they are not hashes any more and somebody needs them. */
    private @Nullable MemoryHashes index;

    /** The store's size when it was last read; -1: never. */
    private long storedWhenRead = -1;

    private CascadeFilter(CascadeShape shape, StoredHashes stored, CascadeLevels levels, long generation) {
        this.shape = shape;
        this.stored = new CountedHashes(stored);
        this.repairs = this.stored.counts();
        this.levels = levels;
        this.inFlight = new InFlight(stored, repairs);
        this.count = levels.keys(0);
        this.generation = generation;
    }

    /** An empty filter before a store. */
    static CascadeFilter make(FilterSpec spec, StoredHashes stored) {
        LevelKind inner = LevelKind.of(spec.option("inner", LevelKind.QUOTIENT.label));
        CascadeShape shape = CascadeShape.of(spec);
        return new CascadeFilter(shape, stored, CascadeLevels.empty(shape, inner, 0), 0);
    }

    private long position(long hash) {
        return generation == 0 ? hash : Mix.expand(hash, shape.seed(), generation);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return levels.contains(position(hash));
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        inFlight.makeRoom(count, hash, !isNew);
        try {
            levels.add(position(hash));
        } catch (FilterFullException e) {
            boolean isFirstFull = levels.filterCount() == 1 || levels.keys(0) >= shape.capacity();
            if (isFirstFull || !changeHashFunctions()) {
                throw e;
            }
            levels.add(position(hash));
        }
        if (index != null) {
            index.add(position(hash));
        }
        inFlight.inserted(hash);
        count++;
        return isNew;
    }

    /**
     * Takes out a key, before or after it is taken out of the store; false, and no change, for any other hash. Keys that are
     * known, because they are stored or were inserted not long ago, keep what is theirs; a hash that is not among them is
     * deleted if something is left for it, which a key has that the store gave up already.
     */
    @Override
    public boolean deleteHash(long hash) {
        long position = position(hash);
        if (!levels.contains(position)) {
            return false;
        }
        MemoryHashes keys = generation == 0 ? null : index();
        long[] near = keys == null ? levels.near(stored, inFlight, position) : levels.near(keys, position);
        if (!levels.hasEntriesBeside(position, KnownKeys.without(near, position))) {
            return false;
        }
        if (keys != null && keys.remove(position) && keys.count() + 1 < count) {
            // The store may have given up one of two equal hashes, and the index is without the other from now on.
            storedWhenRead = -1;
        }
        levels.remove(position);
        inFlight.deleted(hash);
        count--;
        return true;
    }

    @Override
    public Adaptation repairHash(long hash) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        long position = position(hash);
        StoredHashes keys = generation == 0 ? stored : index();
        boolean isStored = generation > 0 && stored.contains(hash);
        long[] near = levels.near(keys, position);
        if (isStored || keys.count() < count || Arrays.stream(near).anyMatch(key -> key == position)) {
            return repairs.counted(Adaptation.INSEPARABLE);
        }
        boolean isChanged = false;
        if (!levels.moveAlike(position, near, false)) {
            isChanged = changeHashFunctions();
            long now = position(hash);
            levels.moveAlike(now, isChanged ? levels.near(index(), now) : near, true);
        }
        if (mightContainHash(hash)) {
            return repairs.counted(Adaptation.INSEPARABLE);
        }
        return repairs.counted(isChanged ? Adaptation.FORGOT : Adaptation.FIXED);
    }

    /** Whether all keys are known, so that the filter can be built anew. */
    private boolean isInStep() {
        return (generation == 0 ? stored : index()).count() == count;
    }

    /** Builds the filter anew of other positions; false, and no change, if that is not possible now. */
    private boolean changeHashFunctions() {
        if (!isInStep()) {
            return false;
        }
        long[] positions = generation == 0 ? stored.between(0, -1L) : index().between(0, -1L);
        long next = generation + 1;
        for (int i = 0; i < positions.length; i++) {
            long hash = generation == 0 ? positions[i] : Mix.unexpand(positions[i], shape.seed(), generation);
            positions[i] = Mix.expand(hash, shape.seed(), next);
        }
        CascadeLevels built = levels.emptied(shape, next);
        try {
            for (long position : positions) {
                built.add(position);
            }
        } catch (FilterFullException e) {
            return false;
        }
        levels = built;
        generation = next;
        index = MemoryHashes.of(positions);
        return true;
    }

    /** The index, made if there is none, or if keys that it lacks may have come to the store since. */
    private MemoryHashes index() {
        MemoryHashes keys = index;
        if (keys == null || (keys.count() < count && stored.count() != storedWhenRead)) {
            storedWhenRead = stored.count();
            keys = MemoryHashes.of(Arrays.stream(inFlight.with(stored.between(0, -1L), 0, -1L))
                    .map(this::position)
                    .filter(levels::contains)
                    .toArray());
            index = keys;
        }
        return keys;
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return repairs.statistics();
    }

    @Override
    public long indexSizeInBits() {
        return cascadeStatistics().indexSizeInBits();
    }

    /** What the levels look like, and what the index takes. */
    public CascadeStatistics cascadeStatistics() {
        long indexBits = index == null ? 0 : index.sizeInBits();
        return new CascadeStatistics(levels.filterCount(), levels.dead(), levels.keys(1), generation, indexBits);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return levels.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return levels.expectedFpp();
    }

    @Override
    public FilterImage image() {
        return levels.image(OWN.set(FORM.write(), shape, generation, count), inFlight);
    }

    static CascadeFilter read(FilterImage image, StoredHashes stored) {
        CascadeShape shape = OWN.shape(image);
        long generation = OWN.generation(image);
        CascadeLevels levels = CascadeLevels.read(image, shape, generation);
        image.check(OWN.count(image) == levels.keys(0), "a count of " + OWN.count(image) + " is wrong");
        CascadeFilter filter = new CascadeFilter(shape, stored, levels, generation);
        image.checkInvariants(() -> {
            filter.checkInvariants();
            filter.inFlight.restore(CascadeLevels.inFlight(image), filter::mightContainHash);
        });
        return filter;
    }

    /**
     * Checks the whole structure; the filters of the levels check themselves when they are read.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (levels.keys(0) != count) {
            throw new IllegalStateException(levels.keys(0) + " keys are in level 0, and " + count + " are counted");
        }
        if (index != null) {
            index.forEachBetween(0, -1L, position -> {
                if (!levels.contains(position)) {
                    throw new IllegalStateException("the key at " + Long.toHexString(position) + " is lost");
                }
            });
        }
    }
}
