package dev.besom.testkit.cuckoo;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.CodecContract;
import dev.besom.testkit.GoldenFile;
import dev.besom.testkit.HashMultiset;
import dev.besom.testkit.HashStream;
import dev.besom.testkit.Subject;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of cuckoo filters with other options than the default ones, with copies of keys, and of some that have learned. */
final class CuckooCodecTest extends CodecContract {

    private static final FilterSpec SPEC = FilterSpec.of(100, 0.1).withSeed(42);
    private static final long[] KEYS = HashStream.stored(20_240_303).next(100);

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of(
                Subject.of(Filters.kind("cuckoo"), FilterSpec.of(500, 0.01).with("slots", "1")),
                Subject.of(
                        Filters.kind("cuckoo-cyclic"), FilterSpec.of(500, 0.01).with("selectors", "3")),
                StaticCuckooContractTest.subject(FilterSpec.of(500, 0.01)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuckoo", "vacuum", "cuckoo-windowed", "cuckoo-cyclic"})
    void theFormatOfAFilterWithCopiesNeverChanges(String kind) throws IOException {
        HashMultiset stored = new HashMultiset();
        InsertableFilter filter = (InsertableFilter) Filters.kind(kind).make(SPEC, stored);
        for (int i = 0; i < 100; i++) {
            stored.add(KEYS[i % 5]);
            filter.insertHash(KEYS[i % 5]);
        }
        GoldenFile.check(kind + "-copies", (PersistentFilter) filter, stored);
    }

    @Test
    void theFormatOfFourTablesNeverChanges() throws IOException {
        InsertableFilter filter =
                (InsertableFilter) Filters.kind("cuckoo").make(SPEC.with("slots", "1"), StoredHashes.none());
        filter.insertHashes(KEYS, 0, KEYS.length);
        GoldenFile.check("cuckoo-single-slots", (PersistentFilter) filter, HashMultiset.of(KEYS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuckoo", "vacuum", "cuckoo-windowed"})
    void theFormatOfFingerprintsOf8BitsNeverChanges(String kind) throws IOException {
        InsertableFilter filter =
                (InsertableFilter) Filters.kind(kind).make(SPEC.with("fingerprint", "8"), StoredHashes.none());
        filter.insertHashes(KEYS, 0, KEYS.length);
        GoldenFile.check(kind + "-bytes", (PersistentFilter) filter, HashMultiset.of(KEYS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuckoo-cyclic", "cuckoo-swapping", "cuckoo-cuckooing"})
    void theFormatOfAFilterThatHasLearnedNeverChanges(String kind) throws IOException {
        HashMultiset stored = HashMultiset.of(KEYS);
        AdaptiveFilter filter = (AdaptiveFilter) Filters.kind(kind).make(SPEC, stored);
        filter.insertHashes(KEYS, 0, KEYS.length);
        HashStream fresh = HashStream.fresh(20_240_303);
        for (int i = 0; i < 5_000; i++) {
            filter.repairHash(fresh.next());
        }
        GoldenFile.check(kind + "-learned", (PersistentFilter) filter, stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cuckoo", "vacuum", "cuckoo-windowed", "cuckoo-cyclic", "cuckoo-swapping", "cuckoo-cuckooing"})
    void theFormatOfAKindNeverChanges(String kind) throws IOException {
        GoldenFile.check(Filters.kind(kind));
    }
}
