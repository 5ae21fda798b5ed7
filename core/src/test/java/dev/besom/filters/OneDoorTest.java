package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.hash.KeyHasher;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whichever way a user makes a filter, it is the same door: what it refuses, it refuses in the same words. */
class OneDoorTest {

    private static final FilterSpec MISSPELT = FilterSpec.of(100, 0.01).with("bitz", "1000");

    @TestFactory
    Stream<DynamicTest> anOptionThatTheKindDoesNotHaveIsRefused() {
        Distribution uniform = Distribution.uniform(1e9);
        return Stream.of(
                refused("keys", "bloom", () -> Filters.make("bloom", MISSPELT, KeyHasher.utf8())),
                refused("numbers", "bloom", () -> Filters.make("bloom", MISSPELT, KeyHasher.longs())),
                refused("hashes", "bloom", () -> Filters.makeHashFilter("bloom", MISSPELT)),
                refused(
                        "hashes, by type",
                        "bloom",
                        () -> Filters.makeHashFilter("bloom", MISSPELT, StoredHashes.none(), InsertableFilter.class)),
                refused(
                        "from all hashes",
                        "bloom",
                        () -> Filters.buildHashFilter("bloom", MISSPELT, HashSource.of(1, 2))),
                refused(
                        "with a distribution",
                        "daisy",
                        () -> Filters.makeHashFilter(Filters.kind("daisy"), MISSPELT, uniform)),
                refused(
                        "by the kind itself",
                        "bloom",
                        () -> Filters.kind("bloom").make(MISSPELT, StoredHashes.none())));
    }

    private static DynamicTest refused(String way, String kind, ThrowingCallable make) {
        return DynamicTest.dynamicTest(
                way,
                () -> assertThatThrownBy(make)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("kind " + kind + " has no option 'bitz'; it has "));
    }
}
