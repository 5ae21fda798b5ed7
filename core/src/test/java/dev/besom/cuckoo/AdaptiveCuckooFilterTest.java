package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.stored.MemoryHashes;
import dev.besom.testsupport.AdaptiveLife;
import dev.besom.testsupport.Images;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the adaptive cuckoo filters promise beyond the contract. */
class AdaptiveCuckooFilterTest {

    static Stream<String> kinds() {
        return Stream.of("cuckoo-cyclic", "cuckoo-swapping", "cuckoo-cuckooing");
    }

    private static AdaptiveCuckooFilter make(String kind, FilterSpec spec, StoredHashes stored) {
        return (AdaptiveCuckooFilter) Filters.makeHashFilter(kind, spec, stored);
    }

    private static long[] hashes(long seed, int count) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, seed << 32, 0)).toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "cuckoo-cyclic, 1, 40, 0.4, false, 20000, 1",
        "cuckoo-cyclic, 1, 40, 0.4, true, 20000, 2",
        "cuckoo-cyclic, 3, 300, 0.1, true, 20000, 3",
        "cuckoo-swapping, , 40, 0.4, false, 20000, 4",
        "cuckoo-swapping, , 40, 0.4, true, 20000, 5",
        "cuckoo-swapping, , 300, 0.1, true, 20000, 6",
        "cuckoo-cuckooing, , 40, 0.4, false, 20000, 7",
        "cuckoo-cuckooing, , 40, 0.4, true, 20000, 8",
        "cuckoo-cuckooing, , 300, 0.1, true, 20000, 9"
    })
    void aRandomLifeLosesNoKeyAlsoWhileInsertsAreInFlight(
            String kind, String selectors, int capacity, double fpp, boolean lag, int steps, long seed) {
        Life life = new Life(kind, selectors, capacity, fpp, lag, seed);
        life.run(steps, 1, 20);
        assertThat(life.fixed()).isPositive();
        assertThat(life.forgot()).isGreaterThan(fpp > 0.2 ? 0 : -1);
        assertThat(life.loaded()).isPositive();
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "cuckoo-cyclic, 1, 40, 0.4, true, 3000000, 21",
        "cuckoo-swapping, , 40, 0.4, true, 3000000, 22",
        "cuckoo-cuckooing, , 40, 0.4, true, 3000000, 23"
    })
    void aVeryLongLifeLosesNoKey(
            String kind, String selectors, int capacity, double fpp, boolean lag, int steps, long seed) {
        new Life(kind, selectors, capacity, fpp, lag, seed).run(steps, 1, 100);
    }

    /** A hash that is in flight and one that is absent look the same; the absent one must not take the other's slot. */
    @ParameterizedTest
    @MethodSource("kinds")
    void deletingAbsentHashesWhileInsertsAreInFlightChangesNothing(String kind) {
        MemoryHashes stored = new MemoryHashes();
        AdaptiveCuckooFilter filter = make(kind, FilterSpec.of(500, 0.3), stored);
        long[] keys = hashes(1, 500);
        for (int i = 0; i < keys.length; i++) {
            filter.insertHash(keys[i]);
            if (i % 2 == 0) {
                stored.add(keys[i]);
            }
        }
        for (int round = 0; round < 2; round++) {
            long maybes = 0;
            for (long absent : hashes(2, 20_000)) {
                maybes += filter.mightContainHash(absent) ? 1 : 0;
                assertThat(filter.deleteHash(absent)).isFalse();
            }
            assertThat(maybes).isPositive();
            assertThat(filter.count()).isEqualTo(500);
            Images.assertAllFound(filter, keys);
            filter = (AdaptiveCuckooFilter) Filters.toFilter(Images.copy(filter.image()), stored);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aFilterReadFromAFileFindsOutAllOwnersOfStoredKeys(String kind) {
        long[] keys = hashes(3, 2_000);
        MemoryHashes stored = MemoryHashes.of(keys);
        AdaptiveCuckooFilter filter = make(kind, FilterSpec.of(2_000, 0.3), stored);
        for (long key : keys) {
            filter.insertHash(key);
        }
        for (long query : hashes(4, 5_000)) {
            filter.repairHash(query);
        }
        AdaptiveCuckooFilter again = (AdaptiveCuckooFilter) Filters.toFilter(Images.copy(filter.image()), stored);
        assertThat(again.ownersSizeInBits())
                .as("index of a filter that is only queried")
                .isZero();
        SlotOwners owners = again.owners();
        assertThat(again.adaptationStatistics().rangeReads()).isEqualTo(1);
        again.checkInvariants();
        for (long slot = 0; slot < again.slots.length(); slot++) {
            assertThat(owners.isKnown(slot)).isEqualTo(again.slots.get(slot) != 0);
        }
        for (long key : keys) {
            assertThat(again.deleteHash(key)).isTrue();
        }
        assertThat(again.count()).isZero();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void slotsOfKeysThatLeaveHaveNoOwnerAfterReadingAndAreNeverChanged(String kind) {
        long[] keys = hashes(5, 1_000);
        MemoryHashes stored = MemoryHashes.of(keys, 0, 1_000);
        AdaptiveCuckooFilter written = make(kind, FilterSpec.of(1_000, 0.3), stored);
        for (long key : keys) {
            written.insertHash(key);
        }
        for (int i = 0; i < 100; i++) {
            stored.remove(keys[i]);
        }
        AdaptiveCuckooFilter filter = (AdaptiveCuckooFilter) Filters.toFilter(Images.copy(written.image()), stored);
        for (long query : hashes(6, 20_000)) {
            boolean wasMaybe = filter.mightContainHash(query);
            boolean isMaybe = filter.repairHash(query) == Adaptation.INSEPARABLE;
            assertThat(filter.mightContainHash(query)).isEqualTo(isMaybe);
            assertThat(wasMaybe || !isMaybe).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.adaptationStatistics().repairs()).isPositive();
        assertThat(filter.adaptationStatistics().inseparable()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void slotsOfKeysInFlightHaveTheirOwnersAfterReading(String kind) {
        long[] keys = hashes(5, 1_000);
        MemoryHashes stored = MemoryHashes.of(keys, 0, 900);
        AdaptiveCuckooFilter written = make(kind, FilterSpec.of(1_000, 0.3), stored);
        for (long key : keys) {
            written.insertHash(key);
        }
        AdaptiveCuckooFilter filter = (AdaptiveCuckooFilter) Filters.toFilter(Images.copy(written.image()), stored);
        for (int i = 900; i < 1_000; i++) {
            assertThat(filter.deleteHash(keys[i])).isTrue();
        }
        assertThat(filter.count()).isEqualTo(900);
        Images.assertAllFound(filter, Arrays.copyOf(keys, 900));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aStoreThatFailsInTheMiddleOfASearchLeavesNothingWrongBehind(String kind) {
        long[] keys = hashes(9, 300);
        FlakyHashes stored = new FlakyHashes(MemoryHashes.of(keys));
        AdaptiveCuckooFilter written = make(kind, FilterSpec.of(300, 0.4), stored);
        for (long key : keys) {
            written.insertHash(key);
        }
        FilterImage image = Images.copy(written.image());
        for (int failing = 0; failing < 300; failing += 7) {
            AdaptiveCuckooFilter filter = (AdaptiveCuckooFilter) Filters.toFilter(Images.copy(image), stored);
            for (long query : hashes(10, 300)) {
                stored.left = failing;
                try {
                    filter.repairHash(query);
                } catch (IllegalStateException e) {
                    assertThat(filter.mightContainHash(query)).isTrue();
                }
            }
            stored.left = Integer.MAX_VALUE;
            Images.assertAllFound(filter, keys);
            for (long key : keys) {
                assertThat(filter.deleteHash(key)).isTrue();
            }
            filter.checkInvariants();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theIndexCostsSixtySixBitsASlot(String kind) {
        AdaptiveCuckooFilter filter = make(kind, FilterSpec.of(10_000, 0.01), StoredHashes.none());
        filter.insertHash(1);
        assertThat(filter.ownersSizeInBits()).isEqualTo(66 * filter.slots.length());
    }

    @ParameterizedTest
    @CsvSource({"cuckoo-cyclic, 1, 10", "cuckoo-cyclic, 2, 9", "cuckoo-cyclic, 3, 8"})
    void slotsOfElevenBitsLeaveElevenLessTheSelectorToTheRemainder(String kind, int selectors, int remainderBits) {
        AdaptiveCuckooFilter filter = make(
                kind,
                FilterSpec.of(1_000, 0.01).with("fingerprint", "11").with("selectors", Integer.toString(selectors)),
                StoredHashes.none());
        assertThat(filter.slots.widthInBits()).isEqualTo(11);
        assertThat(filter.remainderBits()).isEqualTo(remainderBits);
    }

    @Test
    void aCyclicFilterForgetsWhenItsSelectorsWrap() {
        long[] keys = hashes(7, 1_000);
        MemoryHashes stored = MemoryHashes.of(keys);
        AdaptiveCuckooFilter filter =
                make("cuckoo-cyclic", FilterSpec.of(1_000, 0.05).with("selectors", "1"), stored);
        for (long key : keys) {
            filter.insertHash(key);
        }
        SplittableRandom random = new SplittableRandom(8);
        long fixed = 0;
        long forgot = 0;
        while (forgot < 100) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                Adaptation adaptation = filter.repairHash(query);
                fixed += adaptation == Adaptation.FIXED ? 1 : 0;
                forgot += adaptation == Adaptation.FORGOT ? 1 : 0;
            }
        }
        assertThat(fixed).as("selectors that went from 0 to 1").isGreaterThan(forgot);
    }

    /** Gives so many hashes more, and fails then. */
    private static final class FlakyHashes implements StoredHashes {

        private final StoredHashes inner;
        private int left = Integer.MAX_VALUE;

        FlakyHashes(StoredHashes inner) {
            this.inner = inner;
        }

        @Override
        public void forEachBetween(long lo, long hi, LongConsumer action) {
            inner.forEachBetween(lo, hi, hash -> {
                if (left-- <= 0) {
                    throw new IllegalStateException("the store is down");
                }
                action.accept(hash);
            });
        }

        @Override
        public long count() {
            return inner.count();
        }
    }

    /** Hashes from a small universe, so that keys come back and false positives become keys. */
    private static final class Life extends AdaptiveLife<AdaptiveCuckooFilter> {

        private final MemoryHashes stored;
        private final boolean isStrict;

        Life(String kind, String selectors, int capacity, double fpp, boolean lag, long seed) {
            this(kind, spec(selectors, capacity, fpp, seed), new MemoryHashes(), lag, seed);
        }

        private Life(String kind, FilterSpec spec, MemoryHashes stored, boolean lag, long seed) {
            super(spec, make(kind, spec, stored), lag, seed);
            this.stored = stored;
            this.isStrict = !lag;
        }

        private static FilterSpec spec(String selectors, int capacity, double fpp, long seed) {
            FilterSpec spec = FilterSpec.of(capacity, fpp).withSeed(seed);
            return selectors == null ? spec : spec.with("selectors", selectors);
        }

        @Override
        protected void step(int inThousand, boolean isFilling, double load) {
            if (inThousand < 450) {
                for (int i = 0; i < 10; i++) {
                    repair(anyQuery());
                }
            } else if (inThousand < (isFilling ? 800 : 600)) {
                insert(load);
            } else if (inThousand < 900 && !present.isEmpty()) {
                deleteAny();
            } else if (inThousand < 990) {
                deleteAbsent();
            } else {
                saveAndLoad();
            }
        }

        private void deleteAny() {
            int index = random.nextInt(present.size());
            boolean isInFlight = notYetStored.remove(present.get(index));
            if (isInFlight) {
                addToStore(present.get(index));
            }
            // The owner of a key that has left the store cannot be found out any more, so not before owners are known.
            boolean isStoreFirst = filter.ownersSizeInBits() > 0 && random.nextBoolean();
            boolean isFound = delete(index, isStoreFirst);
            require(isFound || !isStrict, "a key that is there was not found");
            leftBehind += isFound ? 0 : 1;
        }

        private void deleteAbsent() {
            long hash = anyHash();
            if (!present.contains(hash)) {
                require(!filter.deleteHash(hash), "an absent hash was deleted");
            }
        }

        @Override
        protected long anyHash() {
            return Mix.expand(random.nextInt(6 * capacity), 77, 0);
        }

        @Override
        protected void addToStore(long hash) {
            stored.add(hash);
        }

        @Override
        protected void removeFromStore(long hash) {
            stored.remove(hash);
        }

        @Override
        protected boolean isKey(long hash) {
            return present.contains(hash);
        }

        @Override
        protected void notRepaired(boolean isKey) {
            require(isKey || !isStrict, "a false positive could not be repaired");
        }

        @Override
        protected AdaptiveCuckooFilter read(FilterImage image) {
            return (AdaptiveCuckooFilter) Filters.toFilter(image, stored);
        }

        @Override
        protected void checkInvariants() {
            filter.checkInvariants();
        }
    }
}
