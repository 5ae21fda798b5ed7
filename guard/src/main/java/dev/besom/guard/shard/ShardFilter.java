package dev.besom.guard.shard;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.IncrementalGrowth;
import dev.besom.IncrementallyGrowableFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a shard: built from the stored hashes, and grown by half when it is full, a piece with each insert; an
 * {@link IncrementallyGrowableFilter} with its repairs, any other without. It has a slot for each stored hash and for each
 * {@linkplain UncertainPuts uncertain} one.
 *
 * <p>If it was dropped because a change of it ended with an {@link Error}, {@link #buildAgain} builds another one.
 *
 * <p>Queries take no lock. All else belongs to whoever holds the shard's changes.
 */
final class ShardFilter extends SeqlockFilter {

    private final FilterChoice choice;
    private final Runnable onGrowth;
    private final ShardHashes hashes;
    private final UncertainPuts<?> uncertain;
    private final long leastCapacity;

    /** How many keys the filter is planned for. */
    private long capacity;
    /** What will take the filter's place, while the shard grows. */
    private @Nullable ShardGrowth growth;

    /** Whether there was a filter: if it is not there, it was dropped. */
    private volatile boolean hadFilter;

    /**
     * No filter yet.
     *
     * @param leastCapacity how many keys the first filter is planned for, if there are not more
     */
    ShardFilter(Shard.Setting<?> setting, ShardHashes hashes, UncertainPuts<?> uncertain, long leastCapacity) {
        super(uncertain.overflow());
        this.choice = setting.choice();
        this.onGrowth = setting.events()::grew;
        this.hashes = hashes;
        this.uncertain = uncertain;
        this.leastCapacity = leastCapacity;
        hashes.setReading(this::readStore);
    }

    /** Whether there is a filter, for whoever holds the changes. */
    boolean isBuilt() {
        return filter != null;
    }

    boolean isDropped() {
        return hadFilter && !isPrimed();
    }

    /** Gives a hash a slot; each call also brings growth a step further, if the filter is full. */
    void insert(long localHash) {
        if (growth == null && filter != null && filter.count() >= capacity) {
            // Slots that a new filter does not need are no reason to make it larger.
            long needed = filter.count() - uncertain.overflow().slotCount();
            beginGrowth(filter, Math.max(capacity, needed + needed / 2 + 1));
        }
        if (growth != null) {
            grow(false);
        }
        if (growth != null && growth.isAtFrontier(localHash)) {
            grow(false);
        }
        while (!tryInsert(localHash)) {
            // Growth ends long before the table is full, unless hashes crowd at one place or keys come without it.
            if (growth == null && filter != null) {
                beginGrowth(filter, ShardGrowth.larger(filter.count(), capacity));
            }
            grow(true);
        }
    }

    private boolean tryInsert(long localHash) {
        AdaptiveFilter current = filter;
        if (current != null) {
            try {
                write(() -> current.insertHash(localHash));
            } catch (FilterFullException e) {
                return false;
            }
        }
        if (growth != null && !growth.insertHash(localHash)) {
            // It begins anew, with a hash more.
            growth = null;
        }
        return true;
    }

    /** Takes out a slot of a hash, if there is a filter. A {@linkplain #openWindowAround window} is open. */
    void delete(long localHash) {
        AdaptiveFilter current = filter;
        if (current != null) {
            write(() -> current.deleteHash(localHash));
        }
        if (growth != null) {
            growth.deleteHash(localHash);
        }
    }

    /** Repairs a false positive; there is a filter. */
    @SuppressWarnings("try") // the filters read the window
    Adaptation repair(long localHash) {
        AdaptiveFilter current = Objects.requireNonNull(filter);
        try (ShardHashes.Window window = openWindowAround(localHash)) {
            Adaptation outcome = write(() -> current.repairHash(localHash));
            if (growth != null) {
                growth.repairHash(localHash);
            }
            return outcome;
        }
    }

    /** Reads the hashes of all that can share a quotient with a hash: no quotient has more than 1 / capacity of them. */
    ShardHashes.Window openWindowAround(long localHash) {
        if (capacity == 1) {
            return hashes.openWindow(0, -1L);
        }
        long width = Long.divideUnsigned(-1L, capacity) + 1;
        long low = Long.compareUnsigned(localHash, width) < 0 ? 0 : localHash - width;
        long high = Long.compareUnsigned(localHash, -1L - width) > 0 ? -1L : localHash + width;
        return hashes.openWindow(low, high);
    }

    private void beginGrowth(AdaptiveFilter from, long wanted) {
        LongFunction<IncrementalGrowth> beginning = from instanceof IncrementallyGrowableFilter gradual
                ? gradual::growth
                : larger -> new RefilledGrowth(hashes, choice.empty(hashes, larger), capacity);
        growth = new ShardGrowth(beginning, wanted);
    }

    /** Brings growth a step further, or to its end. If the store fails it is where it was. */
    private void grow(boolean toTheEnd) {
        while (growth != null) {
            if (!moveNext(growth)) {
                ShardGrowth full = growth;
                growth = null;
                growth = full.larger();
            } else if (growth.isComplete()) {
                install(growth.next(), growth.capacity());
                growth = null;
                onGrowth.run();
            }
            if (!toTheEnd) {
                return;
            }
        }
    }

    private boolean moveNext(ShardGrowth current) {
        return current.move(uncertain.hashesWithoutSlot(current::isNext, current::isAtFrontier));
    }

    /** Gives up what is being filled: growth begins anew. */
    void giveUpGrowth() {
        growth = null;
    }

    /** Builds the filter from the stored hashes, unless there is one. */
    void build() {
        if (filter != null) {
            return;
        }
        growth = null;
        long[] notStored = uncertain.hashesWithoutSlot(localHash -> true, localHash -> false);
        try (ShardHashes.Window window = hashes.openWindow(0, -1L)) {
            long wanted = Math.max(leastCapacity, (long) window.count() + notStored.length);
            long planned = wanted;
            while (!tryBuild(planned, notStored)) {
                planned = ShardGrowth.larger(wanted, planned);
            }
        }
    }

    /** Builds the filter; false if hashes crowd so that they do not fit. */
    private boolean tryBuild(long planned, long[] notStored) {
        try {
            AdaptiveFilter next = choice.filled(hashes, planned);
            for (long localHash : notStored) {
                next.insertHash(localHash);
            }
            install(next, planned);
            return true;
        } catch (FilterFullException e) {
            return false;
        }
    }

    /** Builds a filter that was dropped again. */
    void buildAgain() {
        if (hadFilter) {
            build();
        }
    }

    /** Drops the filter, until it is {@linkplain #build() built}. */
    void drop() {
        growth = null;
        hadFilter = false;
        write(() -> filter = null);
    }

    /** Takes over a filter that holds the stored hashes. */
    void install(AdaptiveFilter next, long plannedFor) {
        write(() -> filter = next);
        hadFilter = true;
        capacity = plannedFor;
        uncertain.overflow().noteNewFilter();
    }

    /**
     * What a snapshot keeps of a shard.
     *
     * @param image a copy
     */
    record Saved(long capacity, FilterImage image) {}

    /**
     * Copies the filter.
     *
     * @throws IllegalStateException if there is none
     */
    Saved save() {
        if (!(filter instanceof PersistentFilter saved)) {
            throw new IllegalStateException("a guard that is still priming has nothing to write");
        }
        FilterImage image = saved.image();
        long[] parameters = new long[image.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = image.parameter(i);
        }
        List<long[]> sections = image.sections().stream().map(long[]::clone).toList();
        return new Saved(capacity, new FilterImage(image.kind(), parameters, sections));
    }
}
