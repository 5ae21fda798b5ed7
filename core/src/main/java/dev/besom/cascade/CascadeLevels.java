package dev.besom.cascade;

import dev.besom.FilterFullException;
import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The levels of a {@link CascadeFilter} one behind the other, and what moves between them. Keys are positions here; who
 * they are and what is stored is the filter's matter.
 *
 * <pre>
 *   0 .. n - 1    filters, each with its dead fingerprints
 *   n             the table of whole positions
 * </pre>
 *
 * A key is in all levels up to the first one where its fingerprint is not dead. There it is <i>kept</i>.
 */
final class CascadeLevels {

    static final ImageForm FORM = new ImageForm(CascadeFilter.KIND);
    static final CascadeShape.Fields SHAPE = new CascadeShape.Fields(FORM);
    private static final LongField LEVEL_KIND = FORM.whole("level kind", "kind of the levels: 0 quotient, 1 tinyset");
    private static final LongField LAST_SLOTS = FORM.whole("last slots", "slots of the table of whole positions");
    private static final Section LAST =
            FORM.section("last", "the positions in that table, ascending as signed numbers");

    private static final Section IN_FLIGHT =
            FORM.section("inFlight", "hashes of keys that may not be stored yet, ascending");

    static {
        FORM.parts("two for each level: its own, and an image of the level's kind");
    }

    private final CascadePlan plan;
    private final LevelKind kind;
    private final CascadeLevel[] levels;
    private final PackedBag last;

    private CascadeLevels(CascadePlan plan, LevelKind kind, CascadeLevel[] levels, PackedBag last) {
        this.plan = plan;
        this.kind = kind;
        this.levels = levels;
        this.last = last;
    }

    /** Levels with no keys and nothing dead. */
    static CascadeLevels empty(CascadeShape shape, LevelKind kind, long generation) {
        CascadePlan plan = plan(shape);
        CascadeLevel[] levels = new CascadeLevel[plan.levels()];
        Arrays.setAll(
                levels,
                i -> CascadeLevel.empty(
                        kind.make(plan.keys(i), plan.rate(i), shape.levelSeed(generation, i)),
                        plan.rate(i),
                        plan.dead(i)));
        return new CascadeLevels(plan, kind, levels, PackedBag.ofHashes(plan.keys(plan.levels())));
    }

    /** Levels of the same plan with the hash functions of another generation, with no keys and nothing dead. */
    CascadeLevels emptied(CascadeShape shape, long generation) {
        return empty(shape, kind, generation);
    }

    private static CascadePlan plan(CascadeShape shape) {
        return shape.plan(CascadePlan.Rule.LOG_STAR);
    }

    boolean contains(long position) {
        for (CascadeLevel level : levels) {
            if (!level.filter().mightContainHash(position)) {
                return false;
            }
            if (!level.isDead(position)) {
                return true;
            }
        }
        return last.contains(position);
    }

    /** Filters, the table not counted. */
    int filterCount() {
        return levels.length;
    }

    /** Keys that have come to a level, those that have moved on included. */
    long keys(int level) {
        return level < levels.length ? levels[level].filter().count() : last.count();
    }

    /**
     * Adds a key.
     *
     * @throws FilterFullException if a level has no room; nothing has changed then
     */
    void add(long position) {
        addFrom(0, position);
    }

    /** Takes out a key that was added. */
    void remove(long position) {
        removeFrom(0, position);
    }

    /**
     * Whether every level that a key at a position would be in has an entry that answers for it and is none of others' own.
     *
     * @param others all other keys {@linkplain #near near} the position
     */
    boolean hasEntriesBeside(long position, long[] others) {
        int end = levelFrom(0, position);
        for (int i = 0; i <= end && i < levels.length; i++) {
            int level = i;
            long[] here = Arrays.stream(others)
                    .filter(other -> levelFrom(0, other) >= level)
                    .toArray();
            if (!levels[i].filter().hasEntryBeside(position, here)) {
                return false;
            }
        }
        if (end < levels.length) {
            return true;
        }
        long same = Arrays.stream(others).filter(other -> other == position).count();
        return last.countOf(position) > same;
    }

    /** The first level from the given one on where the fingerprint of a position is not dead. */
    private int levelFrom(int first, long position) {
        int level = first;
        while (level < levels.length && levels[level].isDead(position)) {
            level++;
        }
        return level;
    }

    /** Adds a key to the levels from the given one to where it is kept; to all of them or to none. */
    private void addFrom(int first, long position) {
        int end = levelFrom(first, position);
        int next = first;
        try {
            for (; next <= end && next < levels.length; next++) {
                levels[next].filter().insertHash(position);
            }
        } catch (FilterFullException e) {
            for (int i = first; i < next; i++) {
                levels[i].filter().deleteHash(position);
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
            levels[i].filter().deleteHash(position);
        }
        if (end == levels.length) {
            last.remove(position);
        }
    }

    /**
     * The keys that can have a fingerprint of a position at any level: one read of one range. A level that the position does
     * not pass now may let it pass when keys have moved there.
     */
    long[] near(StoredHashes keys, long position) {
        return keys.between(firstNear(position), lastNear(position));
    }

    /** The keys {@linkplain #near(StoredHashes, long) near} a position, those in flight included. */
    long[] near(StoredHashes keys, InFlight inFlight, long position) {
        long first = firstNear(position);
        long end = lastNear(position);
        return inFlight.with(keys.between(first, end), first, end);
    }

    private long firstNear(long position) {
        long first = position;
        for (CascadeLevel level : levels) {
            first = least(first, level.filter().firstAlike(position));
        }
        return first;
    }

    private long lastNear(long position) {
        long end = position;
        for (CascadeLevel level : levels) {
            end = most(end, level.filter().lastAlike(position));
        }
        return end;
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
     *
     * @param near the keys {@linkplain #near near} the position
     */
    boolean moveAlike(long position, long[] near, boolean mayExceedPlan) {
        for (int i = 0; i < levels.length; i++) {
            CascadeLevel level = levels[i];
            if (!level.filter().mightContainHash(position)) {
                return true;
            }
            if (!level.isDead(position) && !move(i, level.filter().fingerprint(position), near, mayExceedPlan)) {
                return false;
            }
        }
        return true;
    }

    /** Marks a fingerprint of a level, after the keys that are kept there and have it have moved on; false if they cannot. */
    private boolean move(int from, long fingerprint, long[] near, boolean mayExceedPlan) {
        CascadeLevel level = levels[from];
        long[] moving = Arrays.stream(near)
                .filter(key -> levelFrom(0, key) == from && level.filter().fingerprint(key) == fingerprint)
                .toArray();
        boolean isWithinPlan = keys(from + 1) + moving.length <= plan.keys(from + 1)
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

    /** Dead fingerprints of all levels. */
    long dead() {
        long dead = 0;
        for (CascadeLevel level : levels) {
            dead += level.dead().count();
        }
        return dead;
    }

    long sizeInBits() {
        long bits = last.sizeInBits();
        for (CascadeLevel level : levels) {
            bits += level.sizeInBits();
        }
        return bits;
    }

    /** The chance that a fresh query gets a "maybe". */
    double expectedFpp() {
        double rate = 0;
        for (int i = levels.length - 1; i >= 0; i--) {
            double found = levels[i].filter().expectedFpp();
            double foundDead = Math.min(found, levels[i].foundAndDead());
            rate = found - foundDead + foundDead * rate;
        }
        return rate;
    }

    /** Adds the levels and the keys in flight to the image of a filter, whose own fields are set. */
    FilterImage image(ImageForm.Writer writer, InFlight inFlight) {
        writer.set(LEVEL_KIND, kind.id)
                .set(LAST_SLOTS, last.slotCount())
                .set(LAST, last.toWords())
                .set(IN_FLIGHT, inFlight.section());
        for (CascadeLevel level : levels) {
            level.addTo(writer);
        }
        return writer.image();
    }

    /** The keys in flight of an image. */
    static long[] inFlight(FilterImage image) {
        return image.get(IN_FLIGHT);
    }

    /** The levels of an image. */
    static CascadeLevels read(FilterImage image, CascadeShape shape, long generation) {
        LevelKind kind = LevelKind.ofId(image, image.get(LEVEL_KIND));
        CascadePlan plan = plan(shape);
        List<CascadeLevel> levels = new ArrayList<>();
        FilterImage.Parts parts = image.parts(FORM);
        while (parts.hasNext()) {
            int i = levels.size();
            levels.add(CascadeLevel.read(parts, kind, shape.levelSeed(generation, i), plan.dead(i)));
        }
        image.check(!levels.isEmpty(), "a filter without levels cannot be");
        PackedBag last = PackedBag.read(image, LAST, image.get(LAST_SLOTS), 0, plan.keys(levels.size()));
        return new CascadeLevels(plan, kind, levels.toArray(CascadeLevel[]::new), last);
    }
}
