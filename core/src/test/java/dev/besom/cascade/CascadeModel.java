package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.Kind;
import dev.besom.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A random life of a cascade beside the truth: inserts, deletes, repairs, saving and loading, in any order, with every
 * key asked for after each step where there are few. Keys come to the store before the filter or after it, and leave
 * it before or after; with a lag, some are in the filter for a while before they are stored.
 */
final class CascadeModel {

    private static final int FEW_KEYS = 60;
    private static final int STEPS_BETWEEN_CHECKS = 100;

    private final Kind kind;
    private final int capacity;
    private final boolean lag;
    private final long seed;
    private final SplittableRandom random;
    private final MemoryHashes stored = new MemoryHashes();
    private final List<Long> present = new ArrayList<>();
    private final Map<Long, Integer> times = new HashMap<>();
    private final List<Long> notYetStored = new ArrayList<>();
    private final Set<Long> repaired = new HashSet<>();
    private final List<Long> asked = new ArrayList<>();
    private PersistentFilter filter;

    long fixed;
    long forgot;
    long loaded;
    long moved;
    long dead;
    long generation;
    int levels;

    CascadeModel(Kind kind, FilterSpec spec, boolean lag, long seed) {
        this.kind = kind;
        this.capacity = (int) spec.capacity();
        this.lag = lag;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.filter = kind.make(spec, stored);
    }

    void run(int steps, double load, boolean mayLoad) {
        for (int step = 0; step < steps; step++) {
            try {
                step(step, load, mayLoad);
                if (capacity <= FEW_KEYS || step % STEPS_BETWEEN_CHECKS == 0) {
                    check();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
            }
        }
        check();
    }

    private AdaptiveFilter adaptive() {
        return (AdaptiveFilter) filter;
    }

    private void step(int step, double load, boolean mayLoad) {
        boolean isFilling = (step / (4 * capacity + 10) & 1) == 0;
        int choice = random.nextInt(1000);
        if (choice < 500) {
            repair();
        } else if (choice < (isFilling ? 880 : 650)) {
            if (present.size() < load * capacity) {
                insert();
            }
        } else if (choice < 990) {
            delete();
        } else if (mayLoad && notYetStored.isEmpty()) {
            saveAndLoad();
        }
        if (!notYetStored.isEmpty() && random.nextInt(4) == 0) {
            stored.add(notYetStored.remove(random.nextInt(notYetStored.size())));
        }
    }

    /** Any hash, or one that differs from a key's in one bit. */
    private long anyHash() {
        if (present.isEmpty() || random.nextInt(3) > 0) {
            return random.nextLong();
        }
        return present.get(random.nextInt(present.size())) ^ 1L << random.nextInt(Long.SIZE);
    }

    private void insert() {
        boolean isAgain = !present.isEmpty() && random.nextInt(20) == 0;
        long hash = isAgain ? present.get(random.nextInt(present.size())) : anyHash();
        boolean isMaybe = filter.mightContain(hash);
        boolean isStoreFirst = !lag && random.nextBoolean();
        if (isStoreFirst) {
            stored.add(hash);
        }
        try {
            require(adaptive().insert(hash) != isMaybe, "insert and question disagree");
        } catch (FilterFullException e) {
            if (isStoreFirst) {
                stored.remove(hash);
            }
            return;
        }
        repaired.remove(hash);
        present.add(hash);
        times.merge(hash, 1, Integer::sum);
        if (lag && random.nextBoolean()) {
            notYetStored.add(hash);
        } else if (!isStoreFirst) {
            stored.add(hash);
        }
    }

    private void delete() {
        if (present.isEmpty() || !notYetStored.isEmpty()) {
            return;
        }
        int index = random.nextInt(present.size());
        long hash = present.get(index);
        boolean isStoreFirst = random.nextBoolean();
        if (isStoreFirst) {
            stored.remove(hash);
        }
        require(adaptive().delete(hash), "a key that is there was not deleted");
        if (!isStoreFirst) {
            stored.remove(hash);
        }
        present.set(index, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        times.computeIfPresent(hash, (key, often) -> often == 1 ? null : often - 1);
        long stranger = anyHash();
        if (!times.containsKey(stranger)) {
            require(!adaptive().delete(stranger), "a hash that is no key was deleted");
        }
    }

    private void repair() {
        long query = random.nextInt(3) == 0 && !asked.isEmpty() ? asked.get(random.nextInt(asked.size())) : anyHash();
        if (!filter.mightContain(query)) {
            return;
        }
        if (asked.size() < 500) {
            asked.add(query);
        }
        boolean isKey = times.containsKey(query);
        Adaptation adaptation = adaptive().repair(query);
        require(!isKey || adaptation == Adaptation.INSEPARABLE, "a key was repaired");
        require(isKey || lag || adaptation != Adaptation.INSEPARABLE, "a false positive was not repaired");
        if (adaptation == Adaptation.INSEPARABLE) {
            return;
        }
        require(!filter.mightContain(query), "repaired, and still maybe");
        fixed++;
        if (adaptation == Adaptation.FORGOT) {
            forgot++;
            repaired.clear();
        } else if (levels == 1) {
            // Its cell or fingerprint is dead, and the table of whole hashes is never mistaken. At a second level it
            // could be.
            repaired.add(query);
        }
    }

    private void saveAndLoad() {
        FilterImage image = filter.image();
        long[] parameters = new long[image.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = image.parameter(i);
        }
        double expected = filter.expectedFpp();
        long size = filter.sizeInBits();
        filter = kind.reader()
                .read(
                        new FilterImage(
                                image.kind(),
                                parameters,
                                image.sections().stream().map(long[]::clone).toList()),
                        stored);
        require(filter.expectedFpp() == expected, "another rate is expected after reading");
        require(filter.sizeInBits() == size, "another size after reading");
        loaded++;
    }

    private void check() {
        CascadeStatistics statistics;
        if (filter instanceof AdaptiveBloomFilter bloom) {
            bloom.checkInvariants();
            statistics = bloom.cascadeStatistics();
        } else {
            CascadeFilter cascade = (CascadeFilter) filter;
            cascade.checkInvariants();
            statistics = cascade.cascadeStatistics();
        }
        moved = Math.max(moved, statistics.moved());
        dead = Math.max(dead, statistics.dead());
        generation = statistics.generation();
        levels = statistics.levels();
        require(filter.count() == present.size(), "the count is wrong");
        for (long hash : present) {
            require(filter.mightContain(hash), "lost " + Long.toHexString(hash));
        }
        for (long hash : repaired) {
            require(!filter.mightContain(hash), "no longer repaired: " + Long.toHexString(hash));
        }
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new AssertionError(complaint);
        }
    }
}
