package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class ScoredKeysTest {

    private static final List<String> KINDS =
            List.of("daisy", "daisy-fingerprint", "daisy-counting", "weighted-bloom", "partitioned-learned");

    private static final String NAME = "first letter 1";
    private static final List<Double> THRESHOLDS = List.of(98.0, 115.0);
    private static final List<String> EXAMPLES = examples();

    /** Names that start with "s" are stored, those with "a" are asked for; the model looks at the first letter. */
    private static final long MODEL_BITS = 4_096;

    private static final ScoredKeys.Model<String> MODEL = model(ScoredKeysTest::firstLetter, THRESHOLDS);

    private static double firstLetter(String key) {
        return key.charAt(0);
    }

    private static ScoredKeys.Model<String> model(ToDoubleFunction<String> score, List<Double> thresholds) {
        return new ScoredKeys.Model<>(NAME, score, thresholds, EXAMPLES, MODEL_BITS);
    }

    private static List<String> examples() {
        List<String> examples = names("a", 170);
        examples.addAll(names("m", 171));
        examples.addAll(names("s", 171));
        return examples;
    }

    private static List<String> names(String first, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(first + i);
        }
        return names;
    }

    private static Distribution distribution(ScoredKeys.Model<String> model) {
        List<String> stored = names("s", 900);
        stored.addAll(names("m", 100));
        List<String> asked = names("a", 900);
        asked.addAll(names("m", 99));
        asked.addAll(names("s", 1));
        return model.distribution(stored, asked);
    }

    private static ClassifiedFilter filter(String kind, ScoredKeys.Model<String> model) {
        return (ClassifiedFilter)
                Filters.makeHashFilter(Filters.kind(kind), FilterSpec.of(2_000, 0.01), distribution(model));
    }

    private static ClassifiedFilter savedAndRead(ClassifiedFilter filter) {
        return (ClassifiedFilter) Filters.toFilter(((PersistentFilter) filter).image(), StoredHashes.none());
    }

    private static void assertAllFound(ClassifiedFilter filter, ScoredKeys.Model<String> model, List<String> stored) {
        ScoredKeys<String> keys = new ScoredKeys<>(KeyHasher.utf8(), model, filter);
        for (String key : stored) {
            assertThat(keys.mightContain(key)).as(key).isTrue();
            assertThat(filter.mightContainHash(KeyHasher.utf8().hash(key)))
                    .as(key)
                    .isTrue();
        }
    }

    @Test
    void aScoreIsInTheClassOfTheThresholdsItHasReached() {
        assertThat(MODEL.classOf("a")).isZero();
        assertThat(MODEL.classOf("b")).isEqualTo(1);
        assertThat(MODEL.classOf("s")).isEqualTo(2);
        assertThat(model(key -> Double.NaN, List.of(1.0)).classOf("x")).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> model(ScoredKeysTest::firstLetter, List.of(2.0, 1.0)));
    }

    @Test
    void everyKindFindsItsKeysByScoreAndByHashAloneAndAfterReading() {
        for (String kind : KINDS) {
            ClassifiedFilter filter = filter(kind, MODEL);
            ScoredKeys<String> keys = new ScoredKeys<>(KeyHasher.utf8(), MODEL, filter);
            List<String> stored = names("s", 1_500);
            stored.addAll(names("m", 200));
            stored.addAll(names("a", 5));
            stored.forEach(keys::add);
            // Put in with no score: the filter does not know the class.
            List<String> unscored = names("x", 20);
            unscored.forEach(key -> filter.insertHash(KeyHasher.utf8().hash(key)));
            stored.addAll(unscored);
            assertAllFound(filter, MODEL, stored);
            ClassifiedFilter again = savedAndRead(filter);
            assertAllFound(again, MODEL, stored);
            ScoredKeys<String> reread = new ScoredKeys<>(KeyHasher.utf8(), MODEL, again);
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

    /** Upside down, at random, and with no idea at all. */
    @Test
    void aModelThatIsWrongLosesNoKey() {
        List<ScoredKeys.Model<String>> wrong = List.of(
                model(key -> -key.charAt(0), List.of(-114.0, -98.0)),
                model(key -> Mix.mix(KeyHasher.utf8().hash(key)) >>> 40, List.of(1e6, 1e7)),
                model(key -> 0, List.of()));
        List<String> stored = names("s", 1_000);
        stored.addAll(names("m", 1_000));
        stored.addAll(names("a", 1_000));
        for (String kind : KINDS) {
            for (ScoredKeys.Model<String> model : wrong) {
                ClassifiedFilter filter = filter(kind, model);
                stored.forEach(new ScoredKeys<>(KeyHasher.utf8(), model, filter)::add);
                assertAllFound(filter, model, stored);
                assertAllFound(savedAndRead(filter), model, stored);
            }
        }
    }

    /** With the changed model keys would be lost: that is what refusing it is for. And the filter goes on without it. */
    @Test
    void aModelThatChangesItsAnswersUnderItsNameIsRefusedByName() {
        ScoredKeys.Model<String> reversed = model(key -> 'a' + 's' - key.charAt(0), THRESHOLDS);
        List<String> stored = names("s", 500);
        stored.addAll(names("a", 500));
        for (String kind : KINDS) {
            ClassifiedFilter filter = filter(kind, MODEL);
            stored.forEach(new ScoredKeys<>(KeyHasher.utf8(), MODEL, filter)::add);
            for (ClassifiedFilter each : List.of(filter, savedAndRead(filter))) {
                assertRefused(each, reversed);
                assertAllFound(each, MODEL, stored);
            }
        }
        ClassifiedFilter partitioned = filter("partitioned-learned", MODEL);
        names("s", 500).forEach(new ScoredKeys<>(KeyHasher.utf8(), MODEL, partitioned)::add);
        assertThat(names("s", 500))
                .as("what the changed model would have lost")
                .anyMatch(key -> !partitioned.mightContainHash(KeyHasher.utf8().hash(key), reversed.classOf(key)));
    }

    private static void assertRefused(ClassifiedFilter filter, ScoredKeys.Model<String> changed) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys<>(KeyHasher.utf8(), changed, filter))
                .withMessageContaining("the model 'first letter 1' does not answer as it did");
    }

    @Test
    void aChangeThatMovesNoExampleToAnotherClassIsNoticedToo() {
        ClassifiedFilter filter = savedAndRead(filter("partitioned-learned", MODEL));
        assertRefused(filter, model(key -> key.charAt(0) + 1e-4, THRESHOLDS));
        assertRefused(filter, model(key -> key.equals("m170") ? 109.001 : key.charAt(0), THRESHOLDS));
        assertRefused(filter, model(ScoredKeysTest::firstLetter, List.of(98.0, 114.5)));
        assertRefused(filter, model(ScoredKeysTest::firstLetter, List.of(98.0)));
        assertRefused(
                filter,
                new ScoredKeys.Model<>(
                        NAME, ScoredKeysTest::firstLetter, THRESHOLDS, EXAMPLES.subList(1, 512), MODEL_BITS));
    }

    @Test
    void anotherLastDigitIsNoChange() {
        ClassifiedFilter filter = savedAndRead(filter("partitioned-learned", MODEL));
        ScoredKeys.Model<String> elsewhere = model(key -> Math.nextUp((double) key.charAt(0)), THRESHOLDS);
        assertThat(new ScoredKeys<>(KeyHasher.utf8(), elsewhere, filter).filter())
                .isSameAs(filter);
    }

    @Test
    void aModelThatDoesNotAnswerTheSameTwiceIsRefusedAtOnce() {
        int[] asked = {0};
        ScoredKeys.Model<String> restless = model(key -> asked[0]++ % 3, List.of(1.0, 2.0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> distribution(restless))
                .withMessageContaining(NAME);
    }

    @Test
    void aClassOfWhichThereIsNoExampleIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> distribution(model(ScoredKeysTest::firstLetter, List.of(98.0, 115.0, 120.0))))
                .withMessage("no example of the model 'first letter 1' is in its class 3 of 4");
    }

    @Test
    void aFilterIsAsLargeAsItsModelTooAlsoAfterReading() {
        ScoredKeys.Model<String> tiny =
                new ScoredKeys.Model<>(NAME, ScoredKeysTest::firstLetter, THRESHOLDS, EXAMPLES, 0);
        for (String kind : KINDS) {
            ClassifiedFilter filter = filter(kind, MODEL);
            assertThat(filter.sizeInBits() - filter(kind, tiny).sizeInBits())
                    .as(kind)
                    .isEqualTo(MODEL_BITS);
            assertThat(Filters.toFilter(((PersistentFilter) filter).image(), StoredHashes.none())
                            .sizeInBits())
                    .as(kind)
                    .isEqualTo(filter.sizeInBits());
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> distribution(
                        new ScoredKeys.Model<>(NAME, ScoredKeysTest::firstLetter, THRESHOLDS, EXAMPLES, -1)))
                .withMessageContaining("-1 bits");
    }

    @Test
    void aFilterOfAnotherModelIsRefused() {
        ClassifiedFilter filter = daisy(distribution(MODEL));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys<>(
                        KeyHasher.utf8(),
                        new ScoredKeys.Model<>(
                                "first letter 2", ScoredKeysTest::firstLetter, THRESHOLDS, EXAMPLES, MODEL_BITS),
                        filter))
                .withMessageContaining("'first letter 1'")
                .withMessageContaining("'first letter 2'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys<>(KeyHasher.utf8(), MODEL, daisy(uniform())))
                .withMessageContaining("'first letter 1'");
    }

    private static ClassifiedFilter daisy(Distribution distribution) {
        return (ClassifiedFilter) Filters.makeHashFilter(Filters.kind("daisy"), FilterSpec.of(100, 0.01), distribution);
    }

    private static Distribution uniform() {
        return Distribution.uniform(Distribution.WHOLE_UNIVERSE);
    }

    @Test
    void aModelIsNoClassifierOfTheSameName() {
        HashClassifier namesake = new HashClassifier() {
            @Override
            public String id() {
                return NAME;
            }

            @Override
            public int classOf(long hash) {
                return (int) (hash & 1);
            }
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> distribution(MODEL).bind(namesake))
                .withMessage(
                        "the classes are those of the model 'first letter 1', not of the classifier 'first letter 1'");
        Distribution byHash =
                Distribution.classified(namesake, distribution(MODEL).classes(), true);
        ClassifiedFilter classified = daisy(byHash);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScoredKeys<>(KeyHasher.utf8(), MODEL, classified))
                .withMessageContaining("not of the model 'first letter 1'");
    }
}
