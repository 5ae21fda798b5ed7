package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.Adaptation;
import dev.besom.AdaptiveKeyFilter;
import dev.besom.DeletableFilter;
import dev.besom.DeletableKeyFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableKeyFilter;
import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.MergeableKeyFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.hash.KeyHasher;
import dev.besom.stored.MemoryHashes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(10_000, 0.01);

    @TempDir
    Path folder = Path.of("");

    @Test
    void keysAreFoundAddedAndRemovedByTheirHashes() {
        ExactSet filter = new ExactSet();
        DeletableKeyFilter<CharSequence> keys =
                Filters.of(filter, KeyHasher.utf8()).asDeletable();
        assertThat(keys.mightContain("besom")).isFalse();
        assertThat(keys.add("besom")).isTrue();
        assertThat(keys.add("besom")).isFalse();
        assertThat(keys.add("")).isTrue();
        assertThat(keys.mightContain("besom")).isTrue();
        assertThat(keys.mightContain("")).isTrue();
        assertThat(filter.mightContainHash(KeyHasher.utf8().hash("besom"))).isTrue();
        assertThat(keys.remove("besom")).isTrue();
        assertThat(keys.remove("besom")).isFalse();
        assertThat(keys.mightContain("besom")).isFalse();
        assertThat(keys.count()).isEqualTo(1);
        assertThat(keys.hashFilter()).isSameAs(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bloom", "blocked-bloom"})
    void severalThreadsAddThroughTheConcurrentFormAndNoKeyIsLost(String kind) throws IOException {
        LongKeyFilter filter = Filters.make(kind, FilterSpec.of(200_000, 0.01), KeyHasher.longs());
        LongKeyFilter.Insertable shared = filter.asConcurrent();
        LongStream.range(0, 200_000).parallel().forEach(shared::add);
        assertThat(LongStream.range(0, 200_000).allMatch(filter::mightContain)).isTrue();
        assertThat(filter.count()).isEqualTo(shared.count()).isGreaterThan(197_000);

        Path file = folder.resolve("shared.besom");
        shared.asConcurrent().save(file);
        LongKeyFilter again = Filters.read(file, KeyHasher.longs());
        assertThat(LongStream.range(0, 200_000).allMatch(again::mightContain)).isTrue();
        assertThat(again.count()).isEqualTo(filter.count());
    }

    @Test
    void whatTheKindCanDoIsTheTypeOfItsKeyFilter() {
        assertThat(Filters.make("bloom", SPEC, KeyHasher.bytes()))
                .isInstanceOf(MergeableKeyFilter.class)
                .isNotInstanceOf(DeletableKeyFilter.class);
        assertThat(Filters.make("quotient", SPEC, KeyHasher.bytes()))
                .isInstanceOf(DeletableKeyFilter.class)
                .isNotInstanceOf(AdaptiveKeyFilter.class);
        assertThat(Filters.make("broom", SPEC, KeyHasher.bytes())).isInstanceOf(AdaptiveKeyFilter.class);
        assertThat(Filters.make("scalable-bloom", SPEC, KeyHasher.longs()))
                .isInstanceOf(LongKeyFilter.Insertable.class)
                .isNotInstanceOf(MergeableKeyFilter.class);
    }

    @Test
    void aKindThatCannotDoWhatIsAskedForIsNamed() {
        KeyFilter<CharSequence> bloom = Filters.make("bloom", SPEC, KeyHasher.utf8());
        assertThatThrownBy(bloom::asDeletable)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a filter of the kind bloom cannot give keys up again");
        assertThatThrownBy(
                        () -> Filters.make("quotient", SPEC, KeyHasher.utf8()).asConcurrent())
                .hasMessage("a filter of the kind quotient cannot take keys from several threads");
        assertThatThrownBy(bloom::asAdaptive).hasMessage("a filter of the kind bloom cannot repair false positives");
        assertThatThrownBy(() ->
                        Filters.make("scalable-bloom", SPEC, KeyHasher.longs()).asMergeable())
                .hasMessage("a filter of the kind scalable-bloom cannot be merged");
    }

    @Test
    void aSavedFilterIsReadBackAndAddedToWithoutACast() throws IOException {
        Path file = folder.resolve("seen.besom");
        InsertableKeyFilter<CharSequence> seen =
                Filters.make("bloom", SPEC, KeyHasher.utf8()).asInsertable();
        seen.addAll(List.of("besom", "", "twig"));
        seen.save(file);
        InsertableKeyFilter<CharSequence> again =
                Filters.read(file, KeyHasher.utf8()).asInsertable();
        assertThat(again.mightContainEach(List.of("besom", "", "twig")).cardinality())
                .isEqualTo(3);
        assertThat(again.add("handle")).isTrue();
        assertThat(again.mightContain("handle")).isTrue();
        assertThat(again.toString())
                .isEqualTo("bloom of 4 keys, " + String.format("%,d", again.sizeInBits()) + " bits, "
                        + KeyHasher.utf8().stamp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fuse", "ribbon", "golomb", "bloom", "quotient"})
    void aFilterIsBuiltFromAllItsKeysAtOnce(String kind) {
        List<String> names =
                IntStream.range(0, 5_000).mapToObj(i -> "name-" + i).toList();
        KeyFilter<CharSequence> built = Filters.build(kind, FilterSpec.of(5_000, 0.01), KeyHasher.utf8(), names);
        assertThat(built.mightContainEach(names).cardinality()).isEqualTo(names.size());
        assertThat(built.mightContain("nobody")).isFalse();

        Iterable<String> unsized = () -> names.stream().iterator();
        assertThat(Filters.build(kind, FilterSpec.of(5_000, 0.01), KeyHasher.utf8(), unsized)
                        .mightContainEach(names)
                        .cardinality())
                .isEqualTo(names.size());

        long[] ids = LongStream.range(0, 5_000).toArray();
        LongKeyFilter numbers = Filters.build(kind, FilterSpec.of(5_000, 0.01), KeyHasher.longs(), ids);
        assertThat(LongStream.of(ids).allMatch(numbers::mightContain)).isTrue();
        assertThat(Filters.build(kind, FilterSpec.of(1, 0.01), KeyHasher.utf8(), List.of())
                        .count())
                .isZero();
    }

    @Test
    void anExactListIsRightAboutTheKeysOfBothLists() {
        List<String> yes = IntStream.range(0, 1_000).mapToObj(i -> "yes-" + i).toList();
        List<String> no = IntStream.range(0, 9_000).mapToObj(i -> "no-" + i).toList();
        KeyFilter<CharSequence> list =
                Filters.buildExactList("exact-list", FilterSpec.of(1_000, 0.5), KeyHasher.utf8(), yes, no);
        assertThat(list.mightContainEach(yes).cardinality()).isEqualTo(yes.size());
        assertThat(list.mightContainEach(no).cardinality()).isZero();
        assertThatThrownBy(() -> Filters.buildExactList(
                        "exact-list", FilterSpec.of(1_000, 0.5), KeyHasher.utf8(), yes, List.of("yes-7")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "broom"})
    void aGrownFilterHoldsTheStoredKeysAndTakesMore(String kind) {
        MemoryHashes stored = new MemoryHashes();
        LongKeyFilter.Growable small = Filters.make(kind, FilterSpec.of(1_000, 0.01), KeyHasher.longs(), stored)
                .asGrowable();
        for (long id = 0; id < 1_000; id++) {
            small.add(id);
            stored.add(KeyHasher.longs().hash(id));
        }
        LongKeyFilter.Growable large = small.grown(10_000, stored);
        for (long id = 1_000; id < 10_000; id++) {
            large.add(id);
        }
        assertThat(LongStream.range(0, 10_000).allMatch(large::mightContain)).isTrue();
        assertThat(LongStream.range(0, 1_000).allMatch(small::mightContain)).isTrue();
        assertThatThrownBy(() -> Filters.make("bloom", SPEC, KeyHasher.utf8()).asGrowable())
                .hasMessage("a filter of the kind bloom cannot grow");
    }

    @Test
    void aFileOfAnotherHasherIsRefusedAndBothAreNamed() throws IOException {
        Path file = folder.resolve("ids.besom");
        Filters.make("quotient", SPEC, KeyHasher.longs(1)).save(file);
        assertThatThrownBy(() -> Filters.read(file, KeyHasher.longs(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(file.toString(), "seed=1", "seed=2");
        assertThatThrownBy(() -> Filters.read(file, KeyHasher.utf8()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("longs:", "bytes:");
    }

    /** Small ids in order, which are no hashes: as keys they make a filter as good as any. */
    @ParameterizedTest
    @ValueSource(strings = {"bloom", "blocked-bloom", "quotient", "tinyset", "broom", "telescoping"})
    void idsAreKeys(String kind) {
        int keys = 100_000;
        LongKeyFilter.Insertable filter =
                Filters.make(kind, FilterSpec.of(keys, 0.01), KeyHasher.longs()).asInsertable();
        for (long id = 0; id < keys; id++) {
            filter.add(id);
        }
        long falsePositives = 0;
        for (long id = 0; id < keys; id++) {
            assertThat(filter.mightContain(id)).isTrue();
            falsePositives += filter.mightContain(keys + id) ? 1 : 0;
        }
        assertThat(filter.expectedFpp()).isLessThan(0.0105);
        assertThat(falsePositives).isBetween(1L, (long) (keys * 0.012));
    }

    @Test
    void numbersAreQueriedAndAddedInBulkAsOneByOne() {
        LongKeyFilter.Insertable filter =
                Filters.make("bloom", SPEC, KeyHasher.longs()).asInsertable();
        long[] keys = LongStream.range(0, 5_000).toArray();
        filter.addAll(keys, 1_000, 3_000);
        long[] result = new long[79];
        filter.mightContainEach(keys, 0, 5_000, result);
        for (int i = 0; i < keys.length; i++) {
            assertThat((result[i >>> 6] >>> i & 1) != 0).isEqualTo(filter.mightContain(keys[i]));
            assertThat(filter.mightContain(keys[i]) || i < 1_000 || i >= 4_000).isTrue();
        }
        assertThat(filter.mightContainEach(List.of(1_000L, 3_999L)).cardinality())
                .isEqualTo(2);
        filter.addAll(List.of(7L, 8L));
        assertThat(filter.mightContain(Long.valueOf(7))).isTrue();
    }

    /** A filter that asks another one, or itself, in bulk meanwhile; the room for hashes is the thread's. */
    @Test
    void aBulkQueryWithinABulkQueryDisturbsNeither() {
        LongKeyFilter.Insertable inner =
                Filters.make("bloom", SPEC, KeyHasher.longs()).asInsertable();
        long[] keys = LongStream.range(0, 5_000).toArray();
        inner.addAll(keys, 0, keys.length);
        ExactSet exact = new ExactSet() {
            @Override
            public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
                long[] maybes = Bitmaps.allocate(keys.length);
                inner.mightContainEach(keys, 0, keys.length, maybes);
                assertThat(Bitmaps.cardinality(maybes)).isEqualTo(keys.length);
                super.mightContainHashes(hashes, from, count, result);
            }
        };
        LongKeyFilter.Insertable outer = Filters.of(exact, KeyHasher.longs(9)).asInsertable();
        outer.addAll(keys, 0, 2_500);
        long[] result = Bitmaps.allocate(keys.length);
        outer.mightContainEach(keys, 0, keys.length, result);
        for (int i = 0; i < keys.length; i++) {
            assertThat(Bitmaps.get(result, i)).isEqualTo(i < 2_500);
        }
    }

    @Test
    void aRepairedKeyIsAnsweredNo() {
        MemoryHashes stored = new MemoryHashes();
        LongKeyFilter.Adaptive filter = Filters.make("broom", FilterSpec.of(1_000, 0.1), KeyHasher.longs(), stored)
                .asAdaptive();
        for (long key = 0; key < 1_000; key++) {
            filter.add(key);
            stored.add(filter.hasher().hash(key));
        }
        int repaired = 0;
        for (long key = 1_000; key < 2_000; key++) {
            if (filter.mightContain(key)) {
                assertThat(filter.repair(key)).isNotEqualTo(Adaptation.INSEPARABLE);
                assertThat(filter.mightContain(key)).isFalse();
                repaired++;
            }
        }
        assertThat(repaired).isPositive();
        stored.remove(filter.hasher().hash(5L));
        assertThat(filter.remove(5)).isTrue();
    }

    @Test
    void filtersOfOneHasherAreMergedAndOthersNot() {
        MergeableKeyFilter<CharSequence> one =
                Filters.make("bloom", SPEC, KeyHasher.utf8()).asMergeable();
        MergeableKeyFilter<CharSequence> two =
                Filters.make("bloom", SPEC, KeyHasher.utf8()).asMergeable();
        MergeableKeyFilter<CharSequence> other =
                Filters.make("bloom", SPEC, KeyHasher.utf8(3)).asMergeable();
        one.add("a");
        two.add("b");
        one.mergeFrom(two);
        assertThat(one.mightContainEach(List.of("a", "b")).cardinality()).isEqualTo(2);
        assertThatThrownBy(() -> one.mergeFrom(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hashers differ");
    }

    @Test
    @SuppressWarnings("NullAway")
    void nothingIsNotAFilter() {
        assertThatNullPointerException().isThrownBy(() -> Filters.of((MembershipFilter) null, KeyHasher.utf8()));
        assertThatNullPointerException().isThrownBy(() -> Filters.of(new ExactSet(), (KeyHasher<Long>) null));
    }

    /** A filter without mistakes. */
    private static class ExactSet implements DeletableFilter {

        private final Set<Long> hashes = new HashSet<>();

        @Override
        public boolean mightContainHash(long hash) {
            return hashes.contains(hash);
        }

        @Override
        public boolean insertHash(long hash) {
            return hashes.add(hash);
        }

        @Override
        public boolean deleteHash(long hash) {
            return hashes.remove(hash);
        }

        @Override
        public long count() {
            return hashes.size();
        }

        @Override
        public long sizeInBits() {
            return 64 * count();
        }

        @Override
        public double expectedFpp() {
            return 0;
        }
    }
}
