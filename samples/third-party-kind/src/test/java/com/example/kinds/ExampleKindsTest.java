package com.example.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user does with kinds that another jar brought. */
class ExampleKindsTest {

    private static final FilterSpec SPEC = FilterSpec.of(10_000, 0.01);

    @TempDir
    Path folder = Path.of("");

    /** So that neither run of these tests is the other one by mistake. */
    @Test
    void theKindsAreAModuleOnTheModulePathOnly() {
        boolean isModulePath = System.getProperty("sample.path", "").equals("module");
        assertThat(SlicedBloomFilter.class.getModule().isNamed()).isEqualTo(isModulePath);
        assertThat(Filters.class.getModule().isNamed()).isEqualTo(isModulePath);
    }

    @Test
    void kindsOfAnotherJarComeAfterBesomsOwn() {
        assertThat(Filters.kinds())
                .extracting(Kind::name)
                .startsWith("bloom")
                .endsWith("example-sliced", "example-sorted");
        Kind sliced = Filters.kind("example-sliced");
        assertThat(sliced.isInsertable()).isTrue();
        assertThat(sliced.isStatic()).isFalse();
        Kind sorted = Filters.kind("example-sorted");
        assertThat(sorted.isInsertable()).isFalse();
        assertThat(sorted.isStatic()).isTrue();
    }

    @Test
    void aFilterOfKeysIsFilledSavedAndReadBack() throws IOException {
        Path file = folder.resolve("seen.besom");
        KeyFilter<CharSequence> seen = Filters.make("example-sliced", SPEC, KeyHasher.utf8());
        seen.asInsertable().add("besom");
        seen.save(file);
        KeyFilter<CharSequence> again = Filters.read(file, KeyHasher.utf8());
        assertThat(again.mightContain("besom")).isTrue();
        assertThat(again.mightContain("twig")).isFalse();
        assertThat(again.asInsertable().add("twig")).isTrue();
        assertThat(again.toString()).startsWith("example-sliced of 2 keys");
    }

    @Test
    void aStaticFilterIsBuiltFromAllHashesSavedAndReadBack() throws IOException {
        Path file = folder.resolve("ids.besom");
        LongHasher hasher = KeyHasher.longs();
        long[] hashes = LongStream.range(0, 10_000).map(hasher::hash).toArray();
        Filters.of(Filters.buildHashFilter("example-sorted", SPEC, HashSource.of(hashes)), hasher)
                .save(file);
        LongKeyFilter again = Filters.read(file, hasher);
        assertThat(LongStream.range(0, 10_000).filter(again::mightContain).count())
                .isEqualTo(10_000);
        assertThat(LongStream.range(10_000, 20_000).filter(again::mightContain).count())
                .isBetween(40L, 200L);
        assertThatThrownBy(again::asInsertable)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a filter of the kind example-sorted cannot take keys one by one");
    }

    @Test
    void whatAKindCannotDoIsRefusedAndNamed() {
        assertThatThrownBy(() -> Filters.makeHashFilter("example-sorted", SPEC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("example-sorted is built from all its keys");
        assertThatThrownBy(() -> Filters.kind("example-sliced").make(SPEC.with("slyces", "3"), StoredHashes.none()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kind example-sliced has no option 'slyces'; it has slices");
    }
}
