package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.PersistentFilter;
import dev.besom.StoredHashes;
import dev.besom.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoredKeysTest {

    /** Names that start with "s" are stored, those with "a" are asked for; the model looks at the first letter. */
    private static final ScoredKeys.Model<String> MODEL =
            new ScoredKeys.Model<>("first letter 1", key -> key.charAt(0), List.of(98.0, 115.0));

    private static List<String> names(String first, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(first + i);
        }
        return names;
    }

    private static Distribution distribution() {
        List<String> stored = names("s", 900);
        stored.addAll(names("m", 100));
        List<String> asked = names("a", 900);
        asked.addAll(names("m", 99));
        asked.addAll(names("s", 1));
        return MODEL.distribution(stored, asked);
    }

    @Test
    void aScoreIsInTheClassOfTheThresholdsItHasReached() {
        assertThat(MODEL.classOf("a")).isZero();
        assertThat(MODEL.classOf("b")).isEqualTo(1);
        assertThat(MODEL.classOf("s")).isEqualTo(2);
        assertThat(new ScoredKeys.Model<String>("nan", key -> Double.NaN, List.of(1.0)).classOf("x"))
                .isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys.Model<String>("m", key -> 0, List.of(2.0, 1.0)));
    }

    @Test
    void everyKindFindsItsKeysByScoreAndByHashAloneAndAfterReading() {
        for (String kind : List.of("daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned")) {
            ClassifiedFilter filter =
                    (ClassifiedFilter) Filters.make(Filters.kind(kind), FilterSpec.of(2_000, 0.01), distribution());
            ScoredKeys<String> keys = new ScoredKeys<>(KeyHasher.utf8(), MODEL, filter);
            List<String> stored = names("s", 1_500);
            stored.addAll(names("m", 200));
            stored.addAll(names("a", 5));
            stored.forEach(keys::add);
            // Put in with no score: the filter does not know the class.
            List<String> unscored = names("x", 20);
            unscored.forEach(key -> filter.insert(KeyHasher.utf8().hash(key)));
            ClassifiedFilter again =
                    (ClassifiedFilter) Filters.read(((PersistentFilter) filter).image(), StoredHashes.none());
            ScoredKeys<String> reread = new ScoredKeys<>(KeyHasher.utf8(), MODEL, again);
            for (String key : stored) {
                assertThat(keys.mightContain(key)).as("%s: %s", kind, key).isTrue();
                assertThat(reread.mightContain(key)).as("%s: %s", kind, key).isTrue();
                assertThat(filter.mightContain(KeyHasher.utf8().hash(key))).isTrue();
            }
            for (String key : unscored) {
                assertThat(keys.mightContain(key)).as("%s: %s", kind, key).isTrue();
                assertThat(reread.mightContain(key)).as("%s: %s", kind, key).isTrue();
            }
            long maybes = names("a", 12_000).stream()
                    .skip(2_000)
                    .filter(reread::mightContain)
                    .count();
            // The weighted filter takes the names that are never asked for as an excuse to be far too small.
            if (!kind.equals("weighted-bloom")) {
                assertThat(maybes).as("false positives of %s in 10,000", kind).isLessThan(200);
            }
        }
    }

    @Test
    void aFilterOfAnotherModelIsRefused() {
        ClassifiedFilter filter = Filters.daisy(FilterSpec.of(100, 0.01), distribution());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys<>(
                        KeyHasher.utf8(),
                        new ScoredKeys.Model<>("first letter 2", key -> 0, List.of(1.0, 2.0)),
                        filter))
                .withMessageContaining("first letter 1");
    }
}
