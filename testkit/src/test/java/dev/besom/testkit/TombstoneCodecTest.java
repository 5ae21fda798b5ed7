package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of filters that remember what they had learned of deleted keys. */
final class TombstoneCodecTest {

    private static final int KEYS = 200;

    private static AdaptiveFilter learned(Kind kind, HashMultiset stored) {
        AdaptiveFilter filter =
                (AdaptiveFilter) kind.make(FilterSpec.of(KEYS, 0.1).withSeed(42), stored);
        for (long hash : HashStream.stored(20_240_303).next(KEYS)) {
            stored.add(hash);
            filter.insertHash(hash);
        }
        HashStream fresh = HashStream.fresh(20_240_304);
        for (int repaired = 0; repaired < KEYS / 8; ) {
            long hash = fresh.next();
            if (filter.mightContainHash(hash)) {
                filter.repairHash(hash);
                repaired++;
            }
        }
        return filter;
    }

    private static int tombstoneWords(Kind kind, AdaptiveFilter filter) {
        int index = kind.form().sections().stream()
                .map(ImageForm.Field::name)
                .toList()
                .indexOf("tombstones");
        return Words.count(((PersistentFilter) filter).image().sections().get(index));
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension", "broom"})
    void theFormatOfAFilterWithTombstonesNeverChanges(String name) throws IOException {
        HashMultiset stored = new HashMultiset();
        AdaptiveFilter filter = learned(Filters.kind(name), stored);
        long[] all = stored.toArray();
        long before = filter.sizeInBits();
        for (long hash : Arrays.copyOf(all, KEYS / 2)) {
            stored.remove(hash);
            assertThat(filter.deleteHash(hash)).isTrue();
        }
        assertThat(filter.sizeInBits()).isGreaterThan(before);
        GoldenFile.check(name + "-tombstones", (PersistentFilter) filter, stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void theSectionOfTombstonesIsEmptyUnlessTheFilterRemembersSomething(String name) {
        Kind kind = Filters.kind(name);
        HashMultiset stored = new HashMultiset();
        AdaptiveFilter filter = learned(kind, stored);
        assertThat(tombstoneWords(kind, filter)).isZero();
        long[] all = stored.toArray();
        for (long hash : all) {
            stored.remove(hash);
            assertThat(filter.deleteHash(hash)).isTrue();
        }
        assertThat(tombstoneWords(kind, filter)).isPositive();
        for (long hash : all) {
            filter.insertHash(hash);
            stored.add(hash);
        }
        assertThat(tombstoneWords(kind, filter)).isZero();
    }
}
