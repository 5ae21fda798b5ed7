package dev.besom.guard;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.guard.ShardedGuard.SnapshotWriter;
import dev.besom.guard.fleet.FeedFollower;
import dev.besom.guard.fleet.LeaseClock;
import dev.besom.guard.fleet.Member;
import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.shard.Shard;
import dev.besom.guard.shard.ShardHashes;
import dev.besom.guard.shard.Snapshots;
import dev.besom.guard.store.FeedStore;
import dev.besom.guard.store.FleetStore;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.SharedKeys;
import dev.besom.guard.store.Store;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The choices of a guard. Made by {@link Guard#builder(Store, KeyHasher)} and its twin for loaders.
 *
 * @param <K> the keys
 * @param <G> the guard
 */
public final class GuardBuilder<K, G> {

    private static final String DEFAULT_KIND = "telescoping";
    private static final double DEFAULT_FPP = 1.0 / 256;

    /** Small shards are quickly built anew; below this their own cost counts. */
    private static final long KEYS_PER_SHARD = 1 << 16;

    /** A shard has spare room for a few hundred keys whatever its size, which counts where it has fewer keys than this. */
    private static final long LEAST_KEYS_PER_SHARD = 1 << 14;

    private static final int MIN_SHARD_BITS = 4;
    private static final int MAX_SHARD_BITS = 12;

    /** A shard's share of the keys exceeds the mean by more than so many standard deviations about once in 30,000. */
    private static final double DEVIATIONS = 4;

    private static final int LEAST_CAPACITY = 64;

    private final Backing<K> backing;
    private final Maker<K, G> maker;
    private Kind kind = Filters.kind(DEFAULT_KIND);
    private FilterSpec spec = FilterSpec.of(1, DEFAULT_FPP);
    private long capacity;
    private int shardBits;
    private @Nullable Path snapshot;
    private @Nullable Executor executor;
    private Progress progress = (done, total) -> {};
    private Duration retryPause = Duration.ofSeconds(1);
    private RepairPolicy repairPolicy = RepairPolicy.atOnce();
    private boolean isWrittenOnClose;
    private boolean isReadOnly;
    private Duration leaseWait = Duration.ZERO;
    private Contract contract = Contract.sole();
    /** Null for those of the machine. */
    private @Nullable LeaseClock clock;

    /** Told how far priming has come. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called after each shard, by the thread that primes.
         *
         * @param done how many shards have their filter
         * @param total how many there are
         */
        void shardsPrimed(int done, int total);

        /**
         * Called when the store has failed while a guard primed on an executor, before it tries again.
         *
         * @param shard the number of the shard
         * @param cause what the store threw
         */
        default void failed(int shard, RuntimeException cause) {}
    }

    /** Makes the guard, when its parts are made. */
    @FunctionalInterface
    private interface Maker<K, G> {
        /**
         * Makes it.
         *
         * @param company null for a sole guard
         */
        G make(ShardedGuard.Parts<K> parts, @Nullable Company<K> company);
    }

    /**
     * By what a guard knows of changes of others: one of the two.
     *
     * @param member its part in a fleet
     * @param follower its way to follow a feed
     */
    private record Company<K>(
            @Nullable Member member, @Nullable FeedFollower<K> follower) implements AutoCloseable {

        @Override
        public void close() {
            if (member != null) {
                member.close();
            }
            if (follower != null) {
                follower.close();
            }
        }
    }

    /**
     * What a guard stands before.
     *
     * @param hasher finds the hasher
     * @param sharing how guards of one store know of each other
     */
    private record Backing<K>(
            Supplier<KeyHasher<? super K>> hasher,
            StoredHashes hashes,
            Shard.StoredKeys<K> keys,
            Notes notes,
            Sharing<K> sharing) {}

    /**
     * How guards of one store know of each other.
     *
     * @param lease takes the lease of a sole guard
     * @param meetingPlace where a fleet meets
     * @param feed the store whose changes are recorded
     */
    private record Sharing<K>(
            Function<Lease.Listener, Lease> lease,
            Supplier<MeetingPlace> meetingPlace,
            Supplier<FeedStore<K, ?>> feed) {}

    private GuardBuilder(Backing<K> backing, Maker<K, G> maker) {
        this.backing = backing;
        this.maker = maker;
    }

    static <K, V> GuardBuilder<K, StoreGuard<K, V>> of(Store<K, V> store, KeyHasher<? super K> hasher) {
        Objects.requireNonNull(hasher, "hasher");
        Notes notes = store.notes();
        Supplier<KeyHasher<? super K>> chosen = () -> {
            KeyHasher<? super K> found = HasherNote.choose(
                    hasher,
                    notes,
                    () -> store instanceof FeedStore<K, V> fed
                            ? fed.hashedCount() > 0
                            : store.hashes().count() > 0);
            store.checkHashes(found::hash);
            return found;
        };
        return new GuardBuilder<>(
                new Backing<>(
                        chosen,
                        store.hashes(),
                        new Shard.StoredKeys<>(store::contains, true),
                        notes,
                        new Sharing<>(
                                store::acquireLease, () -> fleetStore(store).meetingPlace(), () -> feedStore(store))),
                (parts, company) -> makeGuard(store, parts, company));
    }

    private static <K, V> StoreGuard<K, V> makeGuard(
            Store<K, V> store, ShardedGuard.Parts<K> parts, @Nullable Company<K> company) {
        if (company != null && company.member() != null) {
            return new FleetStoreGuard<>(fleetStore(store), company.member(), parts);
        }
        return company == null || company.follower() == null
                ? new ShardedStoreGuard<>(store, parts)
                : new FeedStoreGuard<>(feedStore(store), company.follower(), parts);
    }

    private static <K, V> FeedStore<K, V> feedStore(Store<K, V> store) {
        if (store instanceof FeedStore<K, V> fed) {
            return fed;
        }
        throw new IllegalArgumentException("only changes of a database can be followed");
    }

    private static <K, V> FleetStore<K, V> fleetStore(Store<K, V> store) {
        if (store instanceof FleetStore<K, V> shared) {
            return shared;
        }
        throw new IllegalArgumentException("guards of several processes can stand before a database only");
    }

    static <K, V> GuardBuilder<K, LoaderGuard<K, V>> of(Loader<K, V> loader, LocalKeys<K> keys) {
        Objects.requireNonNull(loader, "loader");
        return new GuardBuilder<>(
                new Backing<>(
                        keys::hasher,
                        keys.hashes(),
                        new Shard.StoredKeys<>(loader::contains, false),
                        keys.notes(),
                        new Sharing<>(
                                listener -> keys.acquireLease(),
                                () -> {
                                    throw refusalOfFolder();
                                },
                                () -> {
                                    throw refusalOfFolder();
                                })),
                (parts, company) -> new ShardedLoaderGuard<>(loader, keys, parts));
    }

    static <K, V> GuardBuilder<K, LoaderGuard<K, V>> of(Loader<K, V> loader, SharedKeys<K> keys) {
        Objects.requireNonNull(loader, "loader");
        GuardBuilder<K, LoaderGuard<K, V>> builder = new GuardBuilder<>(
                new Backing<>(
                        keys::hasher,
                        keys.hashes(),
                        new Shard.StoredKeys<>(loader::contains, false),
                        keys.notes(),
                        new Sharing<>(
                                listener -> {
                                    throw refusalOfSharedKeys();
                                },
                                keys::meetingPlace,
                                keys::recorded)),
                (parts, company) -> makeGuard(loader, keys, parts, Objects.requireNonNull(company)));
        return builder.contract(Contract.fleet());
    }

    private static <K, V> LoaderGuard<K, V> makeGuard(
            Loader<K, V> loader, SharedKeys<K> keys, ShardedGuard.Parts<K> parts, Company<K> company) {
        Member member = company.member();
        return member == null
                ? new FeedLoaderGuard<>(loader, keys, Objects.requireNonNull(company.follower()), parts)
                : new FleetLoaderGuard<>(loader, keys, member, parts);
    }

    private static IllegalArgumentException refusalOfSharedKeys() {
        return new IllegalArgumentException(
                "before a loader, keys that processes share need the contract fleet or feed");
    }

    private static IllegalArgumentException refusalOfFolder() {
        return new IllegalArgumentException("a folder of hashes belongs to one process at a time");
    }

    /**
     * Which filter the guard has: the name of any kind that repairs its false positives and grows, as
     * {@code besom kinds} lists them; {@code telescoping} by default. A {@code broom} filter in a guard keeps one hash
     * function: those of a store change all together, and a guard's shards each on their own.
     *
     * @throws IllegalArgumentException if there is no such kind, or it does not adapt or grow
     */
    public GuardBuilder<K, G> kind(String name) {
        Kind named = Filters.kind(name);
        kind = new FilterChoice(named, spec).kind();
        return this;
    }

    /** The false-positive rate; 1/256 by default. */
    public GuardBuilder<K, G> fpp(double fpp) {
        spec = spec.withFpp(fpp);
        return this;
    }

    /** For how many keys there is room before anything grows; by default a quarter more than are stored. */
    public GuardBuilder<K, G> capacity(long keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + keys);
        }
        capacity = keys;
        return this;
    }

    /**
     * How many shards there are, a power of two from 2 to 4096. By default one for each 65,536 keys, and 16 at least
     * unless a small capacity was given: then as many as leave each some thousand keys.
     */
    public GuardBuilder<K, G> shards(int count) {
        if (Integer.bitCount(count) != 1 || count < 2 || count > 1 << MAX_SHARD_BITS) {
            throw new IllegalArgumentException("shards must be a power of two from 2 to 4096, not " + count);
        }
        shardBits = Integer.numberOfTrailingZeros(count);
        return this;
    }

    /** An option of the kind of filter, such as {@code load}. */
    public GuardBuilder<K, G> option(String name, String value) {
        spec = spec.with(name, value);
        return this;
    }

    /** Which false positives are repaired; all of them by default. */
    public GuardBuilder<K, G> repairs(RepairPolicy policy) {
        repairPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Starts from this file, if {@link Guard#snapshot} wrote it and nothing was written to the store since. */
    public GuardBuilder<K, G> snapshot(Path file) {
        snapshot = file;
        return this;
    }

    /** Primes there instead of before {@link #open()} returns; the guard sends all lookups on until that is done. */
    public GuardBuilder<K, G> primeOn(Executor where) {
        executor = where;
        return this;
    }

    /**
     * How long priming on an executor waits after a failure of the store before it tries again; one second by default. The
     * pause doubles with each further failure, up to 64 times its length.
     */
    public GuardBuilder<K, G> retryPause(Duration pause) {
        if (pause.isNegative()) {
            throw new IllegalArgumentException("a pause cannot be negative");
        }
        retryPause = pause;
        return this;
    }

    /** Writes the {@linkplain #snapshot(Path) snapshot} when the guard is closed, if it is certain what the store holds. */
    public GuardBuilder<K, G> snapshotOnClose() {
        isWrittenOnClose = true;
        return this;
    }

    /**
     * Makes a guard that changes nothing, for a store that nobody changes: puts, removals and snapshots are refused. It
     * takes no lease, so any number of them may be there.
     */
    public GuardBuilder<K, G> readOnly() {
        isReadOnly = true;
        return this;
    }

    /**
     * How long opening waits for another guard that has the store to be closed, or for its process to end; not at all by
     * default. For deployments in which the new instance starts before the old one is gone: nothing is read of the store
     * before that.
     */
    public GuardBuilder<K, G> waitForLease(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a wait cannot be negative");
        }
        leaseWait = atMost;
        return this;
    }

    /** Who else may change the store; nobody by default. */
    public GuardBuilder<K, G> contract(Contract chosen) {
        contract = Objects.requireNonNull(chosen, "contract");
        return this;
    }

    /** The clocks by which leases run. */
    GuardBuilder<K, G> clock(LeaseClock running) {
        clock = running;
        return this;
    }

    private LeaseClock runningClock() {
        return clock == null ? LeaseClock.SYSTEM : clock;
    }

    /** Tells a listener how far priming has come. */
    public GuardBuilder<K, G> progress(Progress listener) {
        progress = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Makes the guard.
     *
     * @throws IllegalArgumentException if the store's hashes are those of another hasher, or have changed to another
     *     hash function for a filter that is not a guard's, or the kind of filter has no such option
     * @throws LeaseHeldException if another guard has the store, and still has it after the time that was set to wait
     */
    public G open() {
        StoredHashes hashes = backing.hashes();
        if (hashes instanceof RehashableHashes able && !able.rehash().equals(Rehash.NONE)) {
            throw new IllegalArgumentException(
                    "the store's hashes have changed to another hash function, which no guard does");
        }
        // What is wrong with the options is said before anything begins.
        FilterChoice choice = new FilterChoice(kind, spec);
        choice.empty(StoredHashes.none(), 1);
        if (contract.name() != Contract.Name.SOLE) {
            return openShared(choice);
        }
        if (isReadOnly) {
            return open(choice, new Gate(Gate.State.READ_ONLY), Ownership.none(backing.notes()));
        }
        return Ownership.acquire(() -> openAlone(choice), leaseWait);
    }

    private G openAlone(FilterChoice choice) {
        Gate gate = new Gate(Gate.State.OPEN);
        Ownership ownership =
                Ownership.take(backing.notes(), gate, backing.sharing().lease());
        try {
            return open(choice, gate, ownership);
        } catch (RuntimeException | Error e) {
            ownership.close();
            throw e;
        }
    }

    private G open(FilterChoice choice, Gate gate, Ownership ownership) {
        KeyHasher<? super K> hasher = backing.hasher().get();
        Snapshots snapshots = new Snapshots(backing.notes(), ownership.epoch(), choice, hasher.stamp());
        ownership.beginEpoch(snapshots);
        Counters counters = new Counters();
        long stored = backing.hashes().count();
        List<Shard<K>> shards = makeShards(
                new Shard.Setting<>(backing.keys(), choice, snapshots::invalidate, counters), backing.hashes(), stored);
        boolean isLoaded = snapshot != null && snapshots.load(snapshot, shards, stored);
        Priming<K> priming = new Priming<>(shards, gate, progress);
        G guard = maker.make(
                new ShardedGuard.Parts<>(
                        hasher,
                        choice,
                        shards,
                        new ShardedGuard.Repairing(counters, repairPolicy),
                        new ShardedGuard.Life(
                                gate, ownership::close, snapshots::write, priming.ready(), closingSnapshot())),
                null);
        prime(priming, isLoaded);
        return guard;
    }

    private void prime(Priming<K> priming, boolean isLoaded) {
        if (isLoaded) {
            priming.skip();
        } else if (executor != null) {
            executor.execute(() -> priming.runPatiently(retryPause));
        } else {
            priming.run();
        }
    }

    /** Opens a guard beside others. */
    private G openShared(FilterChoice choice) {
        if (isReadOnly) {
            throw new IllegalArgumentException("a guard of a store that nobody changes needs no contract");
        }
        return contract.name() == Contract.Name.FLEET ? openFleet(choice) : openFeed(choice);
    }

    private G openFleet(FilterChoice choice) {
        MeetingPlace place = backing.sharing().meetingPlace().get();
        KeyHasher<? super K> hasher = backing.hasher().get();
        backing.notes().remove(Notes.SNAPSHOT);
        AtomicReference<@Nullable Member> self = new AtomicReference<>();
        SharedParts<K> shared = new SharedParts<>(
                this,
                choice,
                place.hashes(() -> Objects.requireNonNull(self.get()).applied()),
                backing.hashes().count());
        Snapshots snapshots = new Snapshots(backing.notes(), place.fleet(), choice, hasher.stamp());
        long startAt = snapshot == null ? -1 : snapshots.loadAt(snapshot, shared.shards);
        Member member = Ownership.acquire(
                () -> {
                    Member joining = new Member(
                            place, shared.filters, new Member.Setting(contract.time(), startAt, runningClock()));
                    self.set(joining);
                    joining.join();
                    return joining;
                },
                leaseWait);
        return open(
                shared,
                hasher,
                (file, all) -> snapshots.writeAt(file, all, member.applied()),
                new Company<>(member, null));
    }

    private G openFeed(FilterChoice choice) {
        if (snapshot != null) {
            throw new IllegalArgumentException("a guard that follows a feed is primed and takes no snapshots");
        }
        FeedStore<K, ?> store = backing.sharing().feed().get();
        KeyHasher<? super K> hasher = backing.hasher().get();
        backing.notes().forgetSnapshot();
        AtomicReference<@Nullable FeedFollower<K>> self = new AtomicReference<>();
        SharedParts<K> shared = new SharedParts<>(
                this,
                choice,
                new LateHashes(() -> Objects.requireNonNull(self.get()).hashes()),
                store.hashedCount());
        FeedFollower<K> follower = new FeedFollower<>(
                store, hasher::hash, shared.filters, new FeedFollower.Setting(contract.time(), runningClock()));
        self.set(follower);
        follower.start();
        SnapshotWriter none = (file, all) -> {
            throw new IllegalStateException("a guard that follows a feed takes no snapshots");
        };
        return open(shared, hasher, none, new Company<>(null, follower));
    }

    /** What guards beside others are made of. */
    private static final class SharedParts<K> {
        private final FilterChoice choice;
        private final Counters counters = new Counters();
        private final Gate gate = Gate.unproven();
        private final List<Shard<K>> shards;
        private final FleetFilters<K> filters;

        SharedParts(GuardBuilder<K, ?> builder, FilterChoice choice, StoredHashes hashes, long stored) {
            this.choice = choice;
            // A hash may be known before its key is stored, and the keys of others' hashes are not known.
            Shard.StoredKeys<K> keys =
                    new Shard.StoredKeys<>(builder.backing.keys().isStored(), false);
            this.shards = builder.makeShards(new Shard.Setting<>(keys, choice, () -> {}, counters), hashes, stored);
            this.filters = new FleetFilters<>(
                    gate, shards, () -> new Priming<>(shards, gate, builder.progress).runPatiently(builder.retryPause));
        }
    }

    private G open(SharedParts<K> shared, KeyHasher<? super K> hasher, SnapshotWriter snapshots, Company<K> company) {
        Priming<K> priming = new Priming<>(shared.shards, shared.gate, progress);
        try {
            G guard = maker.make(
                    new ShardedGuard.Parts<>(
                            hasher,
                            shared.choice,
                            shared.shards,
                            new ShardedGuard.Repairing(shared.counters, repairPolicy),
                            new ShardedGuard.Life(
                                    shared.gate, () -> {}, snapshots, priming.ready(), closingSnapshot())),
                    company);
            shared.filters.opened();
            prime(priming, shared.shards.stream().allMatch(Shard::isPrimed));
            return guard;
        } catch (RuntimeException | Error e) {
            company.close();
            throw e;
        }
    }

    private @Nullable Path closingSnapshot() {
        return isWrittenOnClose ? snapshot : null;
    }

    private List<Shard<K>> makeShards(Shard.Setting<K> setting, StoredHashes hashes, long stored) {
        long planned = Math.max(capacity, capacity > 0 ? stored : stored + stored / 4);
        int bits = shardBits > 0 ? shardBits : defaultShardBits(planned, capacity > 0);
        double mean = (double) planned / (1 << bits);
        long shardCapacity = Math.max(LEAST_CAPACITY, (long) (mean + DEVIATIONS * Math.sqrt(mean)));
        List<Shard<K>> shards = new ArrayList<>();
        for (int i = 0; i < 1 << bits; i++) {
            shards.add(new Shard<>(setting, new ShardHashes(hashes, bits, i), shardCapacity));
        }
        return shards;
    }

    private static int defaultShardBits(long keys, boolean isLimited) {
        int least = isLimited
                ? Math.min(MIN_SHARD_BITS, Math.max(1, bitsFor(keys / LEAST_KEYS_PER_SHARD)))
                : MIN_SHARD_BITS;
        return Math.max(least, Math.min(MAX_SHARD_BITS, bitsFor(keys / KEYS_PER_SHARD)));
    }

    private static int bitsFor(long count) {
        return Long.SIZE - Long.numberOfLeadingZeros(count);
    }
}
