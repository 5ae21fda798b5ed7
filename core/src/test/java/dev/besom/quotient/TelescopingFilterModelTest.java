package dev.besom.quotient;

import static dev.besom.quotient.ModelStep.require;
import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random steps against a plain multiset of stored hashes, with every invariant checked on the way. Many keys that were
 * deleted come back. In half of the runs
 * one side is ahead of the other: keys are stored before they are in the filter, or the other way round.
 */
@Tag("slow")
class TelescopingFilterModelTest {

    private enum Ahead {
        NEITHER,
        STORE,
        FILTER
    }

    @ParameterizedTest
    @CsvSource({
        "61, 2, 0.95, 0, false, NEITHER, 20000, 1",
        "61, 2, 0.95, 16, false, NEITHER, 20000, 2",
        "61, 2, 0.95, 0, true, NEITHER, 20000, 3",
        "61, 1, 0.95, 16, false, STORE, 20000, 4",
        "61, 2, 0.95, 0, false, STORE, 20000, 5",
        "61, 2, 0.95, 0, false, FILTER, 20000, 6",
        "61, 1, 0.95, 16, false, FILTER, 20000, 7",
        "61, 5, 0.95, 0.5, true, FILTER, 20000, 8",
        "600, 2, 0.98, 2, false, NEITHER, 20000, 9",
        "600, 3, 0.98, 1, false, FILTER, 20000, 10",
        "5000, 8, 0.95, 0.5, false, NEITHER, 40000, 11",
        "1, 1, 0.95, 0, false, NEITHER, 5000, 12"
    })
    void everyStoredHashIsFoundAfterEveryStep(
            int capacity, int bits, double load, double spill, boolean plain, Ahead ahead, int steps, long seed) {
        new Model(capacity, bits, load, spill, plain, ahead, seed).run(steps);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "61, 2, 0.95, 0, false, NEITHER, 30000000, 21",
        "61, 2, 0.95, 16, false, NEITHER, 30000000, 22",
        "61, 1, 0.95, 16, false, STORE, 20000000, 23",
        "61, 2, 0.95, 0, false, FILTER, 20000000, 24",
        "600, 2, 0.98, 2, false, NEITHER, 10000000, 25",
        "61, 4, 0.95, 0, true, FILTER, 10000000, 26"
    })
    void everyStoredHashIsFoundAfterEveryOfVeryManySteps(
            int capacity, int bits, double load, double spill, boolean plain, Ahead ahead, int steps, long seed) {
        new Model(capacity, bits, load, spill, plain, ahead, seed).run(steps);
    }

    private static final class Model {

        private final int capacity;
        private final Ahead ahead;
        private final long seed;
        private final boolean plain;
        private final int bits;
        private final double spill;
        private final SplittableRandom random;
        private final SortedHashes stored = new SortedHashes();
        /** Hashes that are in the filter and not stored, or stored and not in the filter; to be inserted or deleted. */
        private final List<Long> toFollow = new ArrayList<>();

        private final List<Boolean> followByInsert = new ArrayList<>();
        private final SortedHashes inFilter = new SortedHashes();
        private final SortedHashes left = new SortedHashes();
        private final List<Long> queried = new ArrayList<>();
        private TelescopingFilter filter;
        private long leftBehind;
        private long forgot;
        private long fixed;
        private int step;

        Model(int capacity, int bits, double load, double spill, boolean plain, Ahead ahead, long seed) {
            this.capacity = capacity;
            this.ahead = ahead;
            this.seed = seed;
            this.plain = plain;
            this.bits = bits;
            this.spill = spill;
            this.random = new SplittableRandom(seed);
            FilterSpec spec = FilterSpec.of(capacity, 0.01)
                    .withSeed(seed)
                    .with("load", Double.toString(load))
                    .with("remainderBits", Integer.toString(bits));
            this.filter = plain
                    ? TelescopingFilter.makePlain(spec, stored)
                    : TelescopingFilter.make(spec.with("spill", Double.toString(spill)), stored);
        }

        void run(int steps) {
            for (step = 0; step < steps; step++) {
                boolean filling = (step / (4 * capacity + 10) & 1) == 0;
                int choice = random.nextInt(1000);
                if (choice < 450) {
                    for (int i = 0; i < 20; i++) {
                        repair();
                    }
                } else if (choice < (filling ? 800 : 600)) {
                    insert();
                } else if (choice < 990) {
                    delete();
                } else if (choice < 999 || random.nextInt(20) > 0) {
                    filter = plain
                            ? TelescopingFilter.readPlain(Images.copy(filter.image()), stored)
                            : TelescopingFilter.read(Images.copy(filter.image()), stored);
                } else {
                    followAll();
                    filter = filter.grown(capacity, stored);
                    leftBehind = 0;
                }
                if (random.nextInt(4) == 0) {
                    followOne();
                }
                if (capacity < 100 || step % 1000 == 0) {
                    check();
                }
            }
            followAll();
            check();
            assertThat(fixed).isPositive();
            if (spill == 0 && bits <= 2 && !plain && capacity > 50) {
                assertThat(forgot).isPositive();
            }
        }

        private void insert() {
            long hash = stored.size() > 0 && random.nextInt(20) == 0
                    ? stored.at(random.nextInt(stored.size()))
                    : anotherHash();
            if (ahead == Ahead.STORE) {
                stored.add(hash);
                if (random.nextBoolean()) {
                    follow(hash, true);
                } else if (!insertIntoFilter(hash)) {
                    removeStored(hash);
                }
            } else if (insertIntoFilter(hash)) {
                if (ahead == Ahead.FILTER && random.nextBoolean()) {
                    follow(hash, true);
                } else {
                    stored.add(hash);
                }
            }
        }

        /** One that was deleted, unless that is still in flight, or a new one. */
        private long anotherHash() {
            if (left.size() > 0 && random.nextInt(3) == 0) {
                long hash = left.removeAt(random.nextInt(left.size()));
                if (!toFollow.contains(hash)) {
                    return hash;
                }
            }
            return random.nextLong();
        }

        private boolean insertIntoFilter(long hash) {
            boolean maybe = filter.mightContainHash(hash);
            try {
                require(filter.insertHash(hash) == !maybe, "took a new hash for an old one", step, seed);
            } catch (FilterFullException full) {
                return false;
            }
            inFilter.add(hash);
            return true;
        }

        private void delete() {
            if (stored.size() == 0) {
                return;
            }
            long hash = stored.at(random.nextInt(stored.size()));
            if (inFilter.countOf(hash) == 0 || toFollow.contains(hash)) {
                return;
            }
            switch (ahead) {
                case STORE -> {
                    deleteFromFilter(hash);
                    if (random.nextBoolean()) {
                        follow(hash, false);
                    } else {
                        removeStored(hash);
                    }
                }
                case FILTER -> {
                    removeStored(hash);
                    if (random.nextBoolean()) {
                        follow(hash, false);
                    } else {
                        deleteFromFilter(hash);
                    }
                }
                default -> {
                    // Of two equal hashes one must stay stored until the filter has given it up: it could not tell
                    // otherwise whether a slot is that of a key in flight.
                    boolean storeFirst = stored.countOf(hash) == 1 && random.nextBoolean();
                    if (storeFirst) {
                        removeStored(hash);
                    }
                    deleteFromFilter(hash);
                    if (!storeFirst) {
                        removeStored(hash);
                    }
                }
            }
        }

        private void deleteFromFilter(long hash) {
            inFilter.remove(hash);
            if (!filter.deleteHash(hash)) {
                leftBehind++;
            }
            if (left.size() == capacity) {
                left.removeAt(random.nextInt(capacity));
            }
            left.add(hash);
        }

        private void removeStored(long hash) {
            stored.remove(hash);
        }

        private void follow(long hash, boolean byInsert) {
            toFollow.add(hash);
            followByInsert.add(byInsert);
        }

        /** Does on the side that is behind what was done on the other. */
        private void followOne() {
            if (toFollow.isEmpty()) {
                return;
            }
            int at = random.nextInt(toFollow.size());
            long hash = toFollow.remove(at);
            boolean insert = followByInsert.remove(at);
            if (ahead == Ahead.STORE) {
                if (!insert || !insertIntoFilter(hash)) {
                    removeStored(hash);
                }
            } else if (insert) {
                stored.add(hash);
            } else {
                deleteFromFilter(hash);
            }
        }

        private void followAll() {
            while (!toFollow.isEmpty()) {
                followOne();
            }
        }

        private void repair() {
            long query = random.nextInt(3) == 0 && !queried.isEmpty()
                    ? queried.get(random.nextInt(queried.size()))
                    : random.nextLong();
            if (random.nextInt(50) == 0 && stored.size() > 0) {
                query = stored.at(random.nextInt(stored.size()));
            }
            if (!filter.mightContainHash(query)) {
                return;
            }
            if (queried.size() < 500) {
                queried.add(query);
            }
            if (inFilter.contains(query) && !stored.contains(query)) {
                return;
            }
            Adaptation adaptation = filter.repairHash(query);
            if (adaptation == Adaptation.INSEPARABLE) {
                boolean mayBe = stored.contains(query) || ahead != Ahead.NEITHER || leftBehind > 0;
                require(mayBe, "could not tell two hashes apart", step, seed);
            } else {
                require(!filter.mightContainHash(query), "did not repair what it said", step, seed);
                require(!stored.contains(query), "repaired a stored hash", step, seed);
                fixed++;
                forgot += adaptation == Adaptation.FORGOT ? 1 : 0;
            }
        }

        private void check() {
            filter.checkInvariants();
            // Of what deletes left behind, later ones take some out.
            long left = filter.count() - inFilter.size();
            require(left >= 0 && left <= leftBehind, "counts wrongly", step, seed);
            leftBehind = left;
            require(ahead != Ahead.NEITHER || leftBehind == 0, "left a slot behind", step, seed);
            for (int i = 0; i < inFilter.size(); i++) {
                require(filter.mightContainHash(inFilter.at(i)), "lost a hash", step, seed);
            }
        }
    }
}
