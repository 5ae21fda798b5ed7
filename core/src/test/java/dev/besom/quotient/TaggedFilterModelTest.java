package dev.besom.quotient;

import static dev.besom.quotient.ModelStep.require;
import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.IncrementalGrowth;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random inserts, deletes, repairs, growth, saving and loading against a plain multiset, for every form of tags. Many keys
 * that were deleted come back. The filters are small and crowded, so that tags move between blocks that are full; now and
 * then a block has no room to tell one query from all keys of its run. Where the store lags, some keys are in the filter for
 * a while before they are stored.
 */
@Tag("slow")
class TaggedFilterModelTest {

    @ParameterizedTest
    @CsvSource({
        "telescoping-compact, enumerative, 61, 2, 0.95, 0, false, 40000, 0x51",
        "telescoping-compact, enumerative, 200, 2, 0.97, 0.5, false, 30000, 0x52",
        "telescoping-compact, enumerative, 61, 1, 0.95, 0.5, true, 40000, 0x53",
        "telescoping-compact, enumerative, 3000, 8, 0.95, 0.1, false, 60000, 0x54",
        "telescoping-compact, shift, 61, 2, 0.95, 0, false, 30000, 0x55",
        "telescoping-compact, shift, 200, 3, 0.97, 0.5, true, 30000, 0x56",
        "telescoping-compact, general, 61, 2, 0.95, 0, true, 30000, 0x57",
        "telescoping-compact, general, 200, 5, 0.97, 0.5, false, 20000, 0x58",
        "extension, bitmap, 61, 2, 0.95, 0, false, 40000, 0x48",
        "extension, bitmap, 200, 1, 0.97, 0.5, true, 30000, 0x49",
        "extension, bitmap, 3000, 8, 0.95, 0.1, false, 60000, 0x4a",
        "extension, enumerative, 61, 2, 0.95, 0, false, 20000, 0x59",
        "extension, enumerative, 200, 2, 0.97, 0.5, true, 30000, 0x5a",
        "extension, enumerative, 3000, 8, 0.95, 0.1, false, 20000, 0x5b",
        "extension, arithmetic, 61, 1, 0.95, 0, true, 30000, 0x5c",
        "extension, arithmetic, 200, 2, 0.97, 0.5, false, 30000, 0x5d",
        "extension, enumerative, 1, 1, 0.95, 0.5, false, 3000, 0x5e",
        "telescoping-compact, enumerative, 1, 3, 0.95, 0.5, false, 3000, 0x5f",
        "telescoping, , 61, 2, 0.95, 0, true, 30000, 0x41",
        "telescoping, , 200, 1, 0.97, 0.5, true, 30000, 0x42",
        "telescoping, , 61, 2, 0.95, 16, true, 30000, 0x43",
        "telescoping-plain, , 61, 1, 0.95, , true, 30000, 0x44"
    })
    void everyKeyIsFoundAfterEveryStep(
            String kind,
            @Nullable String code,
            int capacity,
            int bits,
            double load,
            @Nullable Double spill,
            boolean lag,
            int steps,
            String seed) {
        new Model(kind, code, capacity, bits, load, spill, lag, Long.decode(seed)).run(steps);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "telescoping-compact, enumerative, 61, 2, 0.95, 0, false, 10000000, 0x61",
        "telescoping-compact, enumerative, 200, 2, 0.97, 0.5, true, 10000000, 0x62",
        "telescoping-compact, shift, 61, 2, 0.95, 0.5, true, 10000000, 0x63",
        "telescoping-compact, general, 200, 2, 0.97, 0.2, false, 10000000, 0x64",
        "extension, bitmap, 61, 2, 0.95, 0.5, true, 10000000, 0x67",
        "extension, bitmap, 200, 1, 0.97, 0, false, 10000000, 0x68",
        "extension, enumerative, 61, 2, 0.95, 0, true, 10000000, 0x65",
        "extension, arithmetic, 200, 2, 0.97, 0.5, false, 10000000, 0x66"
    })
    void everyKeyIsFoundAfterEveryOfVeryManySteps(
            String kind,
            @Nullable String code,
            int capacity,
            int bits,
            double load,
            @Nullable Double spill,
            boolean lag,
            int steps,
            String seed) {
        new Model(kind, code, capacity, bits, load, spill, lag, Long.decode(seed)).run(steps);
    }

    private static final class Model {

        private final int capacity;
        private final boolean lag;
        private final int crowd;
        private final long seed;
        private final SplittableRandom random;
        private final SortedHashes stored = new SortedHashes();
        private final SortedHashes inFilter = new SortedHashes();
        private final SortedHashes left = new SortedHashes();
        private final List<Long> notYetStored = new ArrayList<>();
        private final List<Long> queried = new ArrayList<>();
        private TaggedFilter filter;
        private long leftBehind;
        private long fixed;
        private long outOfRoom;
        private int tombstones;
        private int step;

        Model(
                String kind,
                @Nullable String code,
                int capacity,
                int bits,
                double load,
                @Nullable Double spill,
                boolean lag,
                long seed) {
            this.capacity = capacity;
            this.lag = lag;
            // Two extensions of 15 bits fill a block; the code of shifts has no selectors above 6 at all.
            this.crowd = "shift".equals(code) ? 1 : 2;
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            FilterSpec spec = FilterSpec.of(capacity, 0.01)
                    .withSeed(seed)
                    .with("load", Double.toString(load))
                    .with("remainderBits", Integer.toString(bits));
            if (code != null) {
                spec = spec.with("code", code);
            }
            if (spill != null) {
                spec = spec.with("spill", Double.toString(spill));
            }
            this.filter = (TaggedFilter) Filters.kind(kind).make(spec, stored);
        }

        void run(int steps) {
            for (step = 0; step < steps; step++) {
                boolean isFilling = (step / (4 * capacity + 10) & 1) == 0;
                int choice = random.nextInt(1000);
                if (choice < 450) {
                    repair();
                } else if (choice < (isFilling ? 800 : 600)) {
                    insert();
                } else if (choice < 980) {
                    delete();
                } else if (choice < 998) {
                    saveAndLoad();
                } else {
                    grow();
                }
                if (!notYetStored.isEmpty() && random.nextInt(4) == 0) {
                    stored.add(notYetStored.remove(random.nextInt(notYetStored.size())));
                }
                if (capacity < 100 || step % 500 == 0) {
                    check();
                }
            }
            check();
            assertThat(fixed).isPositive();
            assertThat(outOfRoom).isLessThanOrEqualTo(1 + steps / 1_000_000);
            assertThat(tombstones).isPositive();
        }

        private void insert() {
            boolean isAgain = stored.size() > 0 && random.nextInt(20) == 0;
            boolean isBack = !isAgain && left.size() > 0 && random.nextInt(3) == 0;
            long hash = isAgain
                    ? stored.at(random.nextInt(stored.size()))
                    : isBack ? left.removeAt(random.nextInt(left.size())) : random.nextLong();
            boolean maybe = filter.mightContainHash(hash);
            try {
                require(filter.insertHash(hash) == !maybe, "took a new hash for an old one", step, seed);
            } catch (FilterFullException full) {
                return;
            }
            inFilter.add(hash);
            if (lag && random.nextBoolean()) {
                notYetStored.add(hash);
            } else {
                stored.add(hash);
            }
        }

        private void delete() {
            if (stored.size() == 0) {
                return;
            }
            int index = random.nextInt(stored.size());
            long hash = stored.at(index);
            // Of two equal hashes one must stay stored until the filter has given it up: it could not tell otherwise.
            boolean isStoreFirst = stored.countOf(hash) == 1 && random.nextBoolean();
            if (isStoreFirst) {
                stored.removeAt(index);
            }
            if (!filter.deleteHash(hash)) {
                leftBehind++;
            }
            if (!isStoreFirst) {
                stored.removeAt(index);
            }
            inFilter.remove(hash);
            tombstones = Math.max(tombstones, filter.tombstones.size());
            if (left.size() == capacity) {
                left.removeAt(random.nextInt(capacity));
            }
            left.add(hash);
        }

        private void saveAndLoad() {
            FilterImage image = Images.copy(filter.image());
            filter = (TaggedFilter) Filters.kind(image.kind()).read(image, stored);
        }

        private void grow() {
            while (!notYetStored.isEmpty()) {
                stored.add(notYetStored.remove(notYetStored.size() - 1));
            }
            try {
                filter = random.nextBoolean() ? filter.grown(capacity, stored) : grownInPieces();
                leftBehind = 0;
            } catch (FilterFullException full) {
                return;
            }
        }

        /** Where tags fill blocks and not all keys are in yet, it may be that none can be given up: then it throws. */
        private TaggedFilter grownInPieces() {
            IncrementalGrowth growth = filter.growth(capacity);
            while (!growth.isComplete()) {
                growth.move(1 + random.nextInt(capacity));
            }
            return (TaggedFilter) growth.next();
        }

        private void repair() {
            long query = random.nextInt(3) == 0 && !queried.isEmpty()
                    ? queried.get(random.nextInt(queried.size()))
                    : random.nextLong();
            if (random.nextInt(50) == 0 && stored.size() > 0) {
                query = stored.at(random.nextInt(stored.size()));
            }
            if (!filter.mightContainHash(query) || notYetStored.contains(query)) {
                return;
            }
            if (queried.size() < 500) {
                queried.add(query);
            }
            if (filter.repairHash(query) == Adaptation.INSEPARABLE) {
                boolean mayBe = stored.contains(query) || lag || isCrowded(query);
                require(mayBe, "could not tell two hashes apart", step, seed);
            } else {
                require(!filter.mightContainHash(query), "did not repair what it said", step, seed);
                require(!stored.contains(query), "repaired a stored hash", step, seed);
                fixed++;
            }
        }

        /** Whether the query shares its quotient with so many keys that their tags against it may fill a block. */
        private boolean isCrowded(long query) {
            long quotient = filter.keys.quotient(query);
            outOfRoom++;
            return stored.between(filter.keys.firstHash(quotient), filter.keys.lastHash(quotient)).length >= crowd;
        }

        private void check() {
            filter.checkInvariants();
            // Of what deletes left behind, later ones take some out.
            long left = filter.count() - inFilter.size();
            require(left >= 0 && left <= leftBehind, "counts wrongly", step, seed);
            leftBehind = left;
            require(leftBehind == 0 || lag, "left a slot behind", step, seed);
            for (int i = 0; i < inFilter.size(); i++) {
                require(filter.mightContainHash(inFilter.at(i)), "lost a hash", step, seed);
            }
        }
    }
}
