package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that repairs its false positives. A cell of a false positive is marked dead, and the keys that set it move to the next level, a smaller Bloom filter of a lower rate; what is left in the end is kept
 * exactly.
 *
 * <pre>
 *   query -----&gt; level 0 --a cell is free--&gt; no
 *                   |  \---all alive-------&gt; maybe
 *                   | a cell is dead
 *                   v
 *                level 1 ... --&gt; table of whole hashes: yes or no
 * </pre>
 *
 * The cells are drawn in {@link BloomLevel}, the sizes of levels follow from {@link CascadePlan}.
 *
 * <p>A dead cell stays dead, whoever comes and goes: keys that are inserted later and have it go to the next level as
 * well. When a level has more keys or dead cells than planned, all hash functions change and the filter is built anew,
 * with no dead cells. What an adversary knows is worth nothing then: an old false positive is one again with the
 * chance of any other query. That repair says {@link Adaptation#FORGOT}, and takes time for every key. Budget: that
 * keeps the rate for any number of queries, at the price of a change after each {@code moved / rate} unique queries a key since the
 * last one: 1.6 at 1 % and the usual share of keys that may move.
 *
 * <p>To find the owners of a cell, and to free cells when keys are deleted, the filter has an <i>index</i>: for each
 * hash function the positions of all keys in order, 8.2 to 8.6 bytes a key and function, in memory and not counted as
 * the filter's size. It is built by the first repair or delete; until then a new filter lists its keys, 8 bytes each.
 * A filter read from a file reads all hashes of its store instead, and adds those that are in flight
 * ({@link InFlight}). Keys that it holds and neither of them has, because
 * a change is in flight, have unknown cells: until they arrive, repairs say {@link Adaptation#INSEPARABLE} and deletes
 * free nothing.
 *
 * <p>Departures from the paper: a slice of cells for each hash function, without which its search for owners misses
 * some; the cell with the fewest owners dies, not any, which moves 1.0 keys a repair and not 1.4; the size of level 1
 * can be chosen; hash functions change all at once.
 *
 * <p>Cost: a "no" is that of a Bloom filter. A "maybe" also looks for each of its cells among the dead ones. A repair
 * reads the store once, to be sure, and the index once for each function. One writer at a time.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018, section 5.
 */
public final class AdaptiveBloomFilter implements AdaptiveFilter, PersistentFilter {

    static final String KIND = "adaptive-bloom";

    static final Map<String, String> OPTIONS = Map.of(CascadePlan.MOVED, CascadePlan.MOVED_MEANING);

    static final ImageForm FORM = new ImageForm(KIND);
    private static final CascadeShape.Fields OWN = new CascadeShape.Fields(FORM);
    private static final LongField LAST_SLOTS = FORM.whole("last slots", "slots of the table of whole hashes");
    private static final Section LAST =
            FORM.section("last", "the hashes in the table of whole hashes, ascending as signed numbers");

    private static final Section IN_FLIGHT =
            FORM.section("inFlight", "hashes of keys that may not be stored yet, ascending");

    static {
        FORM.parts("the levels, each with the parameters and sections of a level");
    }

    private static final int FIRST_LIST = 64;

    /** Beyond so many keys the store is read, as after reading a file. */
    private static final int LONGEST_LIST = 1 << 30;

    private final CascadeShape shape;
    private final CascadePlan plan;
    private final CountedHashes stored;
    private final InFlight inFlight;
    private final RepairCounts repairs;

    private BloomLevel[] levels;
    private PackedBag last;
    private long generation;
    private long count;

    /** The keys of a filter that was made empty, until there is an index; null in a filter that was read. */
    private long @Nullable [] list;

    /** The store's size when it was last read; -1: never. */
    private long storedWhenRead = -1;

    private AdaptiveBloomFilter(CascadeShape shape, StoredHashes stored, BloomLevel[] levels, PackedBag last) {
        this.shape = shape;
        this.plan = plan(shape);
        this.stored = new CountedHashes(stored);
        this.repairs = this.stored.counts();
        this.levels = levels;
        this.last = last;
        this.inFlight = new InFlight(stored, repairs);
        this.count = levels[0].keys();
    }

    /** An empty filter before a store. */
    static AdaptiveBloomFilter make(FilterSpec spec, StoredHashes stored) {
        CascadeShape shape = CascadeShape.of(spec);
        CascadePlan plan = plan(shape);
        AdaptiveBloomFilter filter =
                new AdaptiveBloomFilter(shape, stored, emptyLevels(shape, plan, 0), emptyLast(plan));
        filter.list = new long[FIRST_LIST];
        return filter;
    }

    private static CascadePlan plan(CascadeShape shape) {
        return shape.plan(CascadePlan.Rule.SQUARES);
    }

    private static BloomLevel[] emptyLevels(CascadeShape shape, CascadePlan plan, long generation) {
        BloomLevel[] levels = new BloomLevel[plan.levels()];
        Arrays.setAll(
                levels, i -> BloomLevel.of(plan.keys(i), plan.rate(i), shape.levelSeed(generation, i), plan.dead(i)));
        return levels;
    }

    private static PackedBag emptyLast(CascadePlan plan) {
        return PackedBag.ofHashes(plan.keys(plan.levels()));
    }

    @Override
    public boolean mightContainHash(long hash) {
        for (BloomLevel level : levels) {
            int found = level.look(hash);
            if (found != BloomLevel.DEAD) {
                return found == BloomLevel.ALIVE;
            }
        }
        return last.contains(hash);
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        inFlight.makeRoom(count, hash, !isNew);
        addFrom(0, hash);
        if (list != null) {
            list(list, hash);
        }
        inFlight.inserted(hash);
        count++;
        return isNew;
    }

    private void list(long[] hashes, long hash) {
        if (count == LONGEST_LIST) {
            list = null;
            return;
        }
        long[] longer = count < hashes.length ? hashes : Arrays.copyOf(hashes, hashes.length + (hashes.length >> 1));
        longer[(int) count] = hash;
        list = longer;
    }

    /** Adds a key to a level, and to those behind it for as long as it meets dead cells. */
    private void addFrom(int first, long hash) {
        for (int i = first; i < levels.length; i++) {
            levels[i].add(hash);
            if (!levels[i].meetsDead(hash)) {
                return;
            }
        }
        last.add(hash);
    }

    /**
     * Takes out a key, before or after it is taken out of the store; false, and no change, for any other hash. A hash that
     * the index lacks is taken for a key only if the filter holds more keys than are known, because they are stored or were
     * inserted not long ago: then the store has given one up already.
     */
    @Override
    public boolean deleteHash(long hash) {
        if (!mightContainHash(hash)) {
            return false;
        }
        makeIndex();
        long unknown = count - levels[0].indexedKeys();
        boolean isKnown = levels[0].isIndexed(hash);
        if (!isKnown && (unknown <= 0 || stored.count() >= count)) {
            return false;
        }
        if (isKnown && unknown > 0) {
            // The store may have given up one of two equal hashes, and the index is without the other from now on.
            storedWhenRead = -1;
        }
        // Whose cells nobody knows must find them set.
        boolean mayFree = unknown <= (isKnown ? 0 : 1);
        boolean goesOn = true;
        for (int i = 0; i < levels.length && goesOn; i++) {
            goesOn = levels[i].meetsDead(hash);
            levels[i].remove(hash, mayFree);
        }
        if (goesOn) {
            last.remove(hash);
        }
        inFlight.deleted(hash);
        count--;
        return true;
    }

    @Override
    public Adaptation repairHash(long hash) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        boolean isStored = stored.contains(hash);
        makeIndex();
        if (isStored || levels[0].isIndexed(hash) || levels[0].indexedKeys() < count) {
            return repairs.counted(Adaptation.INSEPARABLE);
        }
        moveOwners(hash);
        if (isWithinPlan() || levels[0].indexedKeys() != count) {
            return repairs.counted(Adaptation.FIXED);
        }
        changeHashFunctions();
        moveOwners(hash);
        return repairs.counted(Adaptation.FORGOT);
    }

    /** Kills cells of a hash that is no key, level by level, until it meets a free one or comes to the last table. */
    private void moveOwners(long hash) {
        for (int i = 0; i < levels.length; i++) {
            int found = levels[i].look(hash);
            if (found == BloomLevel.ABSENT) {
                return;
            }
            if (found == BloomLevel.ALIVE) {
                for (long owner : levels[i].kill(hash)) {
                    addFrom(i + 1, owner);
                }
            }
        }
    }

    private boolean isWithinPlan() {
        for (int i = 0; i < levels.length; i++) {
            long behind = i + 1 < levels.length ? levels[i + 1].keys() : last.count();
            if (behind > plan.keys(i + 1) || levels[i].deadCells() > plan.dead(i)) {
                return false;
            }
        }
        return true;
    }

    /** Builds the filter anew with other hash functions, from the index. */
    private void changeHashFunctions() {
        long[] hashes = levels[0].indexedHashes();
        generation++;
        levels = emptyLevels(shape, plan, generation);
        last = emptyLast(plan);
        for (long hash : hashes) {
            levels[0].add(hash);
        }
        index(hashes, hashes.length);
    }

    /** Makes the index if there is none, or if keys that it lacks may have come to the store since. */
    private void makeIndex() {
        boolean isMissing = !levels[0].isIndexed();
        if (isMissing && list != null) {
            index(list, (int) count);
            list = null;
        } else if (isMissing || (levels[0].indexedKeys() < count && stored.count() != storedWhenRead)) {
            storedWhenRead = stored.count();
            long[] hashes = inFlight.with(stored.between(0, -1L), 0, -1L);
            index(hashes, packed(hashes, hashes.length, this::mightContainHash));
        }
    }

    private void index(long[] hashes, int size) {
        long[] left = hashes.clone();
        int leftCount = size;
        for (BloomLevel level : levels) {
            level.indexOwners(left, leftCount);
            leftCount = packed(left, leftCount, level::meetsDead);
        }
    }

    private static int packed(long[] hashes, int size, LongPredicate isKept) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (isKept.test(hashes[i])) {
                hashes[kept++] = hashes[i];
            }
        }
        return kept;
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
        long dead = 0;
        long indexBits = list == null ? 0 : (long) list.length * Long.SIZE;
        for (BloomLevel level : levels) {
            dead += level.deadCells();
            indexBits += level.indexSizeInBits();
        }
        long moved = levels.length > 1 ? levels[1].keys() : last.count();
        return new CascadeStatistics(levels.length, dead, moved, generation, indexBits);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        long bits = last.sizeInBits();
        for (BloomLevel level : levels) {
            bits += level.sizeInBits();
        }
        return bits;
    }

    @Override
    public double expectedFpp() {
        double rate = 0;
        for (int i = levels.length - 1; i >= 0; i--) {
            rate = levels[i].rate(rate);
        }
        return rate;
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = OWN.set(FORM.write(), shape, generation, count)
                .set(LAST_SLOTS, last.slotCount())
                .set(LAST, last.toWords())
                .set(IN_FLIGHT, inFlight.section());
        for (BloomLevel level : levels) {
            writer.part(level.image());
        }
        return writer.image();
    }

    static AdaptiveBloomFilter read(FilterImage image, StoredHashes stored) {
        CascadeShape shape = OWN.shape(image);
        long generation = OWN.generation(image);
        CascadePlan plan = plan(shape);
        List<FilterImage> parts = image.parts(FORM, BloomLevel.FORM);
        image.check(!parts.isEmpty(), "a filter without levels cannot be");
        BloomLevel[] levels = new BloomLevel[parts.size()];
        Arrays.setAll(levels, i -> BloomLevel.read(parts.get(i), shape.levelSeed(generation, i), plan.dead(i)));
        PackedBag last = PackedBag.read(image, LAST, image.get(LAST_SLOTS), 0, plan.keys(levels.length));
        image.check(OWN.count(image) == levels[0].keys(), "a count of " + OWN.count(image) + " is wrong");
        AdaptiveBloomFilter filter = new AdaptiveBloomFilter(shape, stored, levels, last);
        filter.generation = generation;
        image.checkInvariants(() -> {
            filter.checkInvariants();
            filter.inFlight.restore(image.get(IN_FLIGHT), filter::mightContainHash);
        });
        return filter;
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (levels[0].keys() != count) {
            throw new IllegalStateException(levels[0].keys() + " keys are in level 0, and " + count + " are counted");
        }
        for (BloomLevel level : levels) {
            level.checkInvariants();
        }
        for (long hash : levels[0].indexedHashes()) {
            if (!mightContainHash(hash)) {
                throw new IllegalStateException("the key " + Long.toHexString(hash) + " is lost");
            }
        }
    }
}
