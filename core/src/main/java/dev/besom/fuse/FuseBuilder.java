package dev.besom.fuse;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.PackedNumbers;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a filter from a source of hashes, shard after shard.
 *
 * <pre>
 *   pass 0         counts the hashes of each cell; a cell is a 64th of a shard
 *   pass 1, 2, ... gather the hashes of as many shards as fit into {@link #GATHERED_KEYS}, cell by cell, and fill them
 * </pre>
 *
 * All shards have the slots that the fullest one needs. With two million keys a shard that costs a quarter of a percent,
 * and no query has to look up where its shard begins. Because a shard's hashes come cell by cell, filling it touches a few
 * segments at a time: building takes 0.7 of the time of one shard at 10^7 keys and 0.55 at 10^8. Hashes that are not spread evenly are
 * mixed first.
 *
 * <p>Memory beyond the source and the filter: a shard's 30 MB and 8 bytes a key, at most half a gigabyte, where there is
 * more than one shard; what {@link FusePeeling} says where there is one.
 */
final class FuseBuilder {

    /** Up to so many keys there is one shard, if nothing else is said: queries of several take up to twice as long beyond the caches. */
    static final int MOST_IN_ONE_SHARD = 1 << 27;

    /** With fewer the fullest shard is so much fuller than the mean that space is lost. */
    static final int LEAST_SHARD_KEYS = 1 << 16;

    /** The keys of a shard otherwise: enough for the array to be as small as it gets, few enough to be filled in the caches. */
    private static final int SHARD_KEYS = 1 << 21;

    /** The most keys that are gathered in one pass over the source. */
    static final int GATHERED_KEYS = 1 << 26;

    static final String SHARD_KEYS_OPTION = "shardKeys";

    private static final int CELL_BITS = 6;

    /** After so many failures with functions that fail once in a hundred times the hashes are to blame. */
    static final int MOST_ATTEMPTS = 16;

    private final HashSource source;
    private final FuseFilter.Scheme scheme;
    private final int gatheredKeys;
    private final long[] cellKeys;

    private FuseBuilder(HashSource source, FuseFilter.Scheme scheme, int gatheredKeys) {
        this.source = source;
        this.scheme = scheme;
        this.gatheredKeys = gatheredKeys;
        this.cellKeys = new long[scheme.shardCount() << CELL_BITS];
        source.forEach(hash -> cellKeys[cell(hash)]++);
    }

    static FuseFilter build(FilterSpec spec, int arity, int width, HashSource source) {
        return build(
                new FuseFilter.Scheme(
                        arity, width, spec.seed(), shardCount(source.count(), shardKeys(spec, source.count())), false),
                source,
                GATHERED_KEYS);
    }

    private static int shardKeys(FilterSpec spec, long keys) {
        int usual = keys <= MOST_IN_ONE_SHARD ? MOST_IN_ONE_SHARD : SHARD_KEYS;
        return (int) spec.option(SHARD_KEYS_OPTION, usual, LEAST_SHARD_KEYS, MOST_IN_ONE_SHARD);
    }

    static int shardCount(long keys, int keysOfShard) {
        return Math.toIntExact(Math.max(1, (keys + keysOfShard - 1) / keysOfShard));
    }

    /** @param gatheredKeys the most keys that are gathered in one pass, where more than one shard is */
    static FuseFilter build(FuseFilter.Scheme scheme, HashSource source, int gatheredKeys) {
        FuseBuilder plain = new FuseBuilder(source, scheme, gatheredKeys);
        FuseFilter filter = plain.isEven() ? plain.fill() : null;
        if (filter == null) {
            filter = new FuseBuilder(source, scheme.mixing(), gatheredKeys).fill();
        }
        if (filter == null) {
            throw new IllegalStateException(source.count() + " hashes could not be told apart");
        }
        return filter;
    }

    /** In the shard that {@link FuseFilter.Scheme#shard} says: a cell that is a part of a fastrange is in it whatever is rounded. */
    private int cell(long hash) {
        return (int) FuseShape.first(scheme.spread(hash), cellKeys.length);
    }

    /** Whether no cell has more keys than chance explains: ten standard deviations. */
    private boolean isEven() {
        double mean = (double) source.count() / cellKeys.length;
        double most = mean + 10 * Math.sqrt(mean) + 10;
        return Arrays.stream(cellKeys).allMatch(keys -> keys <= most);
    }

    private long keysOf(int shard) {
        return Arrays.stream(cellKeys, shard << CELL_BITS, (shard + 1) << CELL_BITS)
                .sum();
    }

    private @Nullable FuseFilter fill() {
        long most = 0;
        for (int shard = 0; shard < scheme.shardCount(); shard++) {
            most = Math.max(most, keysOf(shard));
        }
        FuseShape shape = FuseShape.of(most, scheme.arity());
        PackedNumbers slots = FuseFilter.emptySlots(shape.slotCount() * scheme.shardCount(), scheme.width());
        FusePeeling peeling = new FusePeeling(shape);
        long[] attempts = new long[scheme.shardCount()];
        long keys = 0;
        int next = 0;
        while (next < scheme.shardCount()) {
            int from = next;
            long gathered = keysOf(next++);
            while (next < scheme.shardCount() && gathered + keysOf(next) <= gatheredKeys) {
                gathered += keysOf(next++);
            }
            HashSource[] shards = scheme.shardCount() == 1 ? new HashSource[] {spread()} : gather(from, next, gathered);
            for (int shard = from; shard < next; shard++) {
                long firstSlot = shard * shape.slotCount();
                long filled = -1;
                for (int attempt = 0; filled < 0; attempt++) {
                    if (attempt == MOST_ATTEMPTS) {
                        return null;
                    }
                    HashSource fractions = attempt == 0 ? shards[shard - from] : distinct(shards[shard - from]);
                    filled = peeling.fill(
                            fractions,
                            scheme.factor(attempt),
                            new FusePeeling.XorFiller(shape, slots, firstSlot, this::fingerprint));
                    attempts[shard] = attempt;
                }
                keys += filled;
            }
        }
        return new FuseFilter(scheme, shape, slots, attempts, keys);
    }

    private long fingerprint(long fraction, long scattered) {
        return FuseShape.fingerprint(scattered, scheme.width());
    }

    /** All hashes, as fractions of the only shard. */
    private HashSource spread() {
        if (!scheme.isMixed()) {
            return source;
        }
        return new HashSource() {
            @Override
            public long count() {
                return source.count();
            }

            @Override
            public void forEach(LongConsumer action) {
                source.forEach(hash -> action.accept(scheme.spread(hash)));
            }
        };
    }

    /** The fractions of some shards' hashes, cell by cell. */
    private HashSource[] gather(int fromShard, int toShard, long keys) {
        long[] fractions = new long[Math.toIntExact(keys)];
        int firstCell = fromShard << CELL_BITS;
        int[] ends = new int[(toShard - fromShard) << CELL_BITS];
        int[] starts = new int[toShard - fromShard + 1];
        int sum = 0;
        for (int cell = 0; cell < ends.length; cell++) {
            if ((cell & (1 << CELL_BITS) - 1) == 0) {
                starts[cell >>> CELL_BITS] = sum;
            }
            ends[cell] = sum;
            sum += (int) cellKeys[firstCell + cell];
        }
        starts[toShard - fromShard] = sum;
        source.forEach(hash -> {
            int cell = cell(hash) - firstCell;
            if (cell >= 0 && cell < ends.length) {
                require(ends[cell] < fractions.length);
                fractions[ends[cell]++] = scheme.fraction(scheme.spread(hash));
            }
        });
        requireWholeCells(ends, firstCell);
        HashSource[] shards = new HashSource[toShard - fromShard];
        for (int shard = 0; shard < shards.length; shard++) {
            shards[shard] = HashSource.of(fractions, starts[shard], starts[shard + 1] - starts[shard]);
        }
        return shards;
    }

    /** A hash too many in one cell has taken the place of another in the next. */
    private void requireWholeCells(int[] ends, int firstCell) {
        long end = 0;
        for (int cell = 0; cell < ends.length; cell++) {
            end += cellKeys[firstCell + cell];
            require(ends[cell] == end);
        }
    }

    private static void require(boolean isAsBefore) {
        if (!isAsBefore) {
            throw new IllegalStateException("a source gave other hashes than in the pass before");
        }
    }

    /** The same numbers, each once. */
    private static HashSource distinct(HashSource numbers) {
        long[] sorted = new long[Math.toIntExact(numbers.count())];
        int[] size = {0};
        numbers.forEach(number -> sorted[size[0]++] = number);
        Arrays.sort(sorted);
        int kept = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[kept++] = sorted[i];
            }
        }
        return HashSource.of(sorted, 0, kept);
    }
}
