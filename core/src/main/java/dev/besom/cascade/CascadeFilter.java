package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.PersistentFilter;
import dev.besom.StoredHashes;
import dev.besom.hash.Mix;
import dev.besom.stored.MemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a filter of another kind adaptive. A fingerprint for which a question was mistaken is marked dead, and the
 * keys that have it move to the next level, a smaller filter of the same kind and of a far lower rate; what is left in
 * the end is kept exactly.
 *
 * <pre>
 *   question --&gt; level 0 --not there--&gt; no
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
 * <p>A moved key keeps its fingerprint in the levels that it has left, so that questions find their way. A dead
 * fingerprint stays dead, whoever comes and goes. When a level would get more keys or dead fingerprints than planned,
 * hashes are exchanged for a permutation of them, their <i>positions</i>, and the filter is built anew with no dead
 * fingerprints. What an adversary knows is worth nothing then. That repair says {@link Adaptation#FORGOT}, and reads
 * all stored hashes.
 *
 * <p>At first positions are hashes, and the keys of a fingerprint are one short range of the store. After the first
 * change no store has them in order, so the filter has an <i>index</i> of positions, 8.2 to 8.6 bytes a key, in memory
 * and not counted as the filter's size.
 *
 * <p>While the filter holds more keys than the store, because a change is under way, nobody knows which fingerprints
 * those have: repairs say {@link Adaptation#INSEPARABLE} until the numbers agree again.
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

    private static final int OWN_PARAMETERS = 8;

    private final long capacity;
    private final double fpp;
    private final double movedShare;
    private final long seed;
    private final LevelKind inner;
    private final CascadePlan plan;
    private final CountedHashes stored;

    private CascadeLevel[] levels;
    private PackedBag last;
    private long generation;
    private long count;

    /** The positions of all keys, once they are not hashes any more and somebody has asked for them. */
    private @Nullable MemoryHashes index;

    /** The store's size when it was last asked for all hashes; -1: never. */
    private long storedWhenRead = -1;

    private long repairs;
    private long forgot;
    private long inseparable;

    private CascadeFilter(
            long capacity,
            double fpp,
            double movedShare,
            long seed,
            LevelKind inner,
            CountedHashes stored,
            CascadeLevel[] levels,
            PackedBag last) {
        this.capacity = capacity;
        this.fpp = fpp;
        this.movedShare = movedShare;
        this.seed = seed;
        this.inner = inner;
        this.plan = plan(capacity, fpp, movedShare);
        this.stored = stored;
        this.levels = levels;
        this.last = last;
    }

    /** An empty filter before a store. */
    public static CascadeFilter make(FilterSpec spec, StoredHashes stored) {
        LevelKind inner = LevelKind.of(spec.option("inner", LevelKind.QUOTIENT.label));
        double movedShare = CascadePlan.moved(spec);
        CascadePlan plan = plan(spec.capacity(), spec.fpp(), movedShare);
        return new CascadeFilter(
                spec.capacity(),
                spec.fpp(),
                movedShare,
                spec.seed(),
                inner,
                new CountedHashes(stored),
                emptyLevels(plan, inner, spec.seed(), 0),
                PackedBag.ofHashes(plan.keys(plan.levels())));
    }

    private static CascadePlan plan(long capacity, double fpp, double movedShare) {
        return CascadePlan.of(capacity, fpp, movedShare, CascadePlan.Rule.LOG_STAR);
    }

    private static CascadeLevel[] emptyLevels(CascadePlan plan, LevelKind inner, long seed, long generation) {
        CascadeLevel[] levels = new CascadeLevel[plan.levels()];
        Arrays.setAll(
                levels,
                i -> CascadeLevel.empty(
                        inner.make(plan.keys(i), plan.rate(i), levelSeed(seed, generation, i)),
                        plan.rate(i),
                        plan.dead(i)));
        return levels;
    }

    private static long levelSeed(long seed, long generation, int level) {
        return Mix.expand(seed, generation, level);
    }

    private long position(long hash) {
        return generation == 0 ? hash : Mix.expand(hash, seed, generation);
    }

    @Override
    public boolean mightContain(long hash) {
        return isAt(position(hash));
    }

    private boolean isAt(long position) {
        for (CascadeLevel level : levels) {
            if (!level.filter().mightContain(position)) {
                return false;
            }
            if (!level.isDead(position)) {
                return true;
            }
        }
        return last.contains(position);
    }

    /** The level at which a key of that position is kept. */
    private int levelOf(long position) {
        return levelFrom(0, position);
    }

    /** The first level from the given one on where the fingerprint of a position is not dead. */
    private int levelFrom(int first, long position) {
        int level = first;
        while (level < levels.length && levels[level].isDead(position)) {
            level++;
        }
        return level;
    }

    @Override
    public boolean insert(long hash) {
        boolean isNew = !mightContain(hash);
        try {
            addFrom(0, position(hash));
        } catch (FilterFullException e) {
            boolean isFirstFull = levels.length == 1 || levels[0].filter().count() >= capacity;
            if (isFirstFull || !changeHashFunctions()) {
                throw e;
            }
            addFrom(0, position(hash));
        }
        if (index != null) {
            index.add(position(hash));
        }
        count++;
        return isNew;
    }

    /** Adds a key to a level, and to those behind it for as long as its fingerprint is dead; to all of them or to none. */
    private void addFrom(int first, long position) {
        int end = levelFrom(first, position);
        int next = first;
        try {
            for (; next <= end && next < levels.length; next++) {
                levels[next].filter().insert(position);
            }
        } catch (FilterFullException e) {
            for (int i = first; i < next; i++) {
                levels[i].filter().delete(position);
            }
            throw e;
        }
        if (end == levels.length) {
            last.add(position);
        }
    }

    /** Takes a key out of the levels from the given one to where it is kept. */
    private void removeFrom(int first, long position) {
        int end = levelFrom(first, position);
        for (int i = first; i <= end && i < levels.length; i++) {
            levels[i].filter().delete(position);
        }
        if (end == levels.length) {
            last.remove(position);
        }
    }

    /** Takes out a key, before or after it is taken out of the store; false, and no change, for any other hash. */
    @Override
    public boolean delete(long hash) {
        long position = position(hash);
        if (!isAt(position) || !isKey(hash, position)) {
            return false;
        }
        removeFrom(0, position);
        if (index != null) {
            index.remove(position);
        }
        count--;
        return true;
    }

    /** Whether a hash that looks present is that of a key, or of one that the store has given up already. */
    private boolean isKey(long hash, long position) {
        if (generation == 0) {
            long known = stored.count();
            return stored.contains(hash) ? count >= known : count > known;
        }
        MemoryHashes keys = index();
        if (!keys.contains(position)) {
            return keys.count() < count && stored.count() < count;
        }
        if (keys.count() < count) {
            // The store may have given up one of two equal hashes, and the index is without the other from now on.
            storedWhenRead = -1;
        }
        return true;
    }

    @Override
    public Adaptation repair(long hash) {
        if (!mightContain(hash)) {
            return Adaptation.FIXED;
        }
        long position = position(hash);
        StoredHashes keys = generation == 0 ? stored : index();
        boolean isStored = generation > 0 && stored.contains(hash);
        long[] near = near(keys, position);
        if (isStored || keys.count() < count || Arrays.stream(near).anyMatch(key -> key == position)) {
            inseparable++;
            return Adaptation.INSEPARABLE;
        }
        boolean isChanged = false;
        if (!moveAlike(position, near, false)) {
            isChanged = changeHashFunctions();
            long now = position(hash);
            moveAlike(now, isChanged ? near(index(), now) : near, true);
        }
        if (mightContain(hash)) {
            inseparable++;
            return Adaptation.INSEPARABLE;
        }
        repairs++;
        forgot += isChanged ? 1 : 0;
        return isChanged ? Adaptation.FORGOT : Adaptation.FIXED;
    }

    /**
     * The keys that can have a fingerprint of a position at any level: one read of one range. A level that the position does
     * not pass now may let it pass when keys have moved there.
     */
    private long[] near(StoredHashes keys, long position) {
        long first = position;
        long end = position;
        for (CascadeLevel level : levels) {
            first = least(first, level.filter().firstAlike(position));
            end = most(end, level.filter().lastAlike(position));
        }
        return keys.between(first, end);
    }

    private static long least(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? a : b;
    }

    private static long most(long a, long b) {
        return Long.compareUnsigned(a, b) > 0 ? a : b;
    }

    /**
     * Marks fingerprints of a position that is no key's, level by level, and moves the keys that have them. False if a
     * level has no room for more, or none that was planned; what was moved until then is in good order.
     */
    private boolean moveAlike(long position, long[] near, boolean mayExceedPlan) {
        for (int i = 0; i < levels.length; i++) {
            CascadeLevel level = levels[i];
            if (!level.filter().mightContain(position)) {
                return true;
            }
            if (!level.isDead(position) && !move(i, level.filter().fingerprint(position), near, mayExceedPlan)) {
                return false;
            }
        }
        return true;
    }

    private boolean move(int from, long fingerprint, long[] near, boolean mayExceedPlan) {
        CascadeLevel level = levels[from];
        long[] moving = Arrays.stream(near)
                .filter(key -> levelOf(key) == from && level.filter().fingerprint(key) == fingerprint)
                .toArray();
        boolean isWithinPlan = keysOf(from + 1) + moving.length <= plan.keys(from + 1)
                && level.dead().count() < plan.dead(from);
        if (!isWithinPlan && !mayExceedPlan) {
            return false;
        }
        int moved = 0;
        try {
            for (; moved < moving.length; moved++) {
                addFrom(from + 1, moving[moved]);
            }
        } catch (FilterFullException e) {
            for (int i = 0; i < moved; i++) {
                removeFrom(from + 1, moving[i]);
            }
            return false;
        }
        level.dead().add(fingerprint);
        return true;
    }

    private long keysOf(int level) {
        return level < levels.length ? levels[level].filter().count() : last.count();
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
            long hash = generation == 0 ? positions[i] : Mix.unexpand(positions[i], seed, generation);
            positions[i] = Mix.expand(hash, seed, next);
        }
        CascadeLevel[] built = emptyLevels(plan, inner, seed, next);
        try {
            for (long position : positions) {
                built[0].filter().insert(position);
            }
        } catch (FilterFullException e) {
            return false;
        }
        levels = built;
        last = PackedBag.ofHashes(plan.keys(plan.levels()));
        generation = next;
        index = MemoryHashes.of(positions);
        return true;
    }

    /** The index, made if there is none, or if keys that it lacks may have come to the store since. */
    private MemoryHashes index() {
        MemoryHashes keys = index;
        if (keys == null || (keys.count() < count && stored.count() != storedWhenRead)) {
            storedWhenRead = stored.count();
            keys = MemoryHashes.of(Arrays.stream(stored.between(0, -1L))
                    .map(this::position)
                    .filter(this::isAt)
                    .toArray());
            index = keys;
        }
        return keys;
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(repairs, forgot, inseparable, stored.reads());
    }

    /** What the levels look like, and what the index takes. */
    public CascadeStatistics cascadeStatistics() {
        long dead = 0;
        for (CascadeLevel level : levels) {
            dead += level.dead().count();
        }
        return new CascadeStatistics(
                levels.length, dead, keysOf(1), generation, index == null ? 0 : index.sizeInBits());
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        long bits = last.sizeInBits();
        for (CascadeLevel level : levels) {
            bits += level.sizeInBits();
        }
        return bits;
    }

    @Override
    public double expectedFpp() {
        double rate = 0;
        for (int i = levels.length - 1; i >= 0; i--) {
            SingleHashFilter filter = levels[i].filter();
            double found = filter.expectedFpp();
            double foundDead = Math.min(found, (double) levels[i].dead().count() / filter.fingerprintCount());
            rate = found - foundDead + foundDead * rate;
        }
        return rate;
    }

    @Override
    public FilterImage image() {
        List<Long> parameters = new ArrayList<>(List.of(
                capacity,
                Double.doubleToRawLongBits(fpp),
                Double.doubleToRawLongBits(movedShare),
                seed,
                generation,
                count,
                (long) inner.id,
                last.slotCount()));
        List<long[]> sections = new ArrayList<>();
        for (CascadeLevel level : levels) {
            level.addTo(parameters, sections);
        }
        sections.add(last.toWords());
        return new FilterImage(
                KIND, parameters.stream().mapToLong(Long::longValue).toArray(), sections);
    }

    static CascadeFilter read(FilterImage image, StoredHashes stored) {
        image.check(image.parameterCount() > OWN_PARAMETERS, "too few parameters");
        long innerId = image.parameter(6);
        LevelKind inner = Arrays.stream(LevelKind.values())
                .filter(kind -> kind.id == innerId)
                .findFirst()
                .orElseThrow(
                        () -> new MalformedFilterException(KIND + ": levels of kind " + innerId + " are not known"));
        int parametersOfLevel = CascadeLevel.PARAMETER_COUNT + inner.parameterCount;
        int levelCount = (image.parameterCount() - OWN_PARAMETERS) / parametersOfLevel;
        image.check(levelCount >= 1, "a filter without levels cannot be");
        image.checkForm(OWN_PARAMETERS + levelCount * parametersOfLevel, levelCount * (inner.sectionCount + 1) + 1);
        long capacity = image.parameter(0);
        double fpp = image.doubleParameter(1);
        double movedShare = image.doubleParameter(2);
        image.check(capacity >= 1 && capacity <= CascadePlan.MOST_KEYS, "a capacity of " + capacity + " cannot be");
        image.check(fpp > 0 && fpp < 1, "a rate of " + fpp + " cannot be");
        image.check(
                movedShare >= CascadePlan.LEAST_MOVED && movedShare <= 1,
                "a part of " + movedShare + " keys cannot be");
        CascadePlan plan = plan(capacity, fpp, movedShare);
        CascadeLevel[] levels = new CascadeLevel[levelCount];
        for (int i = 0; i < levelCount; i++) {
            levels[i] = CascadeLevel.read(
                    image,
                    inner,
                    OWN_PARAMETERS + i * parametersOfLevel,
                    i * (inner.sectionCount + 1),
                    levelSeed(image.parameter(3), image.parameter(4), i),
                    plan.dead(i));
        }
        PackedBag last = PackedBag.read(
                image, levelCount * (inner.sectionCount + 1), image.parameter(7), 0, plan.keys(levelCount));
        CascadeFilter filter = new CascadeFilter(
                capacity, fpp, movedShare, image.parameter(3), inner, new CountedHashes(stored), levels, last);
        filter.generation = image.parameter(4);
        filter.count = image.parameter(5);
        image.check(filter.generation >= 0, "negative numbers cannot be");
        try {
            filter.checkInvariants();
        } catch (IllegalStateException e) {
            throw new MalformedFilterException(KIND + ": " + e.getMessage(), e);
        }
        return filter;
    }

    /**
     * Checks the whole structure; the filters of the levels check themselves when they are read.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (levels[0].filter().count() != count) {
            throw new IllegalStateException(
                    levels[0].filter().count() + " keys are in level 0, and " + count + " are counted");
        }
        if (index != null) {
            index.forEachBetween(0, -1L, position -> {
                if (!isAt(position)) {
                    throw new IllegalStateException("the key at " + Long.toHexString(position) + " is lost");
                }
            });
        }
    }
}
