package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.testsupport.ChangedImage;
import dev.besom.testsupport.Images;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class DistributionTest {

    private static final KeyClass REST = new KeyClass(1e-15, 1e-15, 0.5, 0.5);

    record Rule(String id, LongToIntFunction function) implements HashClassifier {
        @Override
        public int classOf(long hash) {
            return function.applyAsInt(hash);
        }
    }

    private static final Rule PARITY = new Rule("parity", hash -> (int) (hash & 1));
    private static final List<KeyClass> TWO =
            List.of(new KeyClass(1e-12, 1e-12, 0, 0), new KeyClass(1e-12, 1e-13, 0, 0));

    private static final ImageForm FORM = new ImageForm("test");
    private static final DistributionForm PARTS = new DistributionForm(FORM);

    private static final ScoredKeys.Model<Long> SIGN =
            new ScoredKeys.Model<>("sign 1", key -> key, List.of(0.0), List.of(-3L, 5L), 64);

    private static Distribution savedAndRead(Distribution distribution) {
        return PARTS.read(Images.copy(image(distribution)));
    }

    private static FilterImage image(Distribution distribution) {
        return PARTS.write(FORM.write(), distribution).image();
    }

    private static double sum(Distribution distribution, ToDoubleFunction<KeyClass> share) {
        return distribution.classes().stream().mapToDouble(share).sum();
    }

    @Test
    void aUniformDistributionHasOneClass() {
        Distribution uniform = Distribution.uniform(1e6);
        assertThat(uniform.classes()).containsExactly(new KeyClass(1e-6, 1e-6, 1, 1));
        assertThat(uniform.classOf(0)).isZero();
        assertThat(uniform.classOf(-1)).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> Distribution.uniform(0.5));
    }

    @Test
    void aTableGivesEachHashItsProbabilitiesAndAllOthersThoseOfTheRest() {
        SplittableRandom random = new SplittableRandom(11);
        long[] hashes = random.longs(5_000).toArray();
        hashes[0] = 0;
        hashes[1] = -1;
        double[] p = random.doubles(5_000, 1e-9, 1e-5).toArray();
        double[] q = random.doubles(5_000, 1e-12, 1e-5).toArray();
        KeyClass rest = rest(p, q);
        Distribution exact = Distribution.exact(hashes, p, q, rest);
        for (int i = 0; i < hashes.length; i++) {
            KeyClass keys = exact.classes().get(exact.classOf(hashes[i]));
            assertThat(keys.insertProbability()).isCloseTo(p[i], within(p[i]));
            assertThat(keys.queryProbability()).isCloseTo(q[i], within(q[i]));
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(exact.classes().get(exact.classOf(random.nextLong()))).isEqualTo(rest);
        }
        assertThat(sum(exact, KeyClass::insertShare)).isCloseTo(1, within(1e-9));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Distribution.exact(
                        new long[] {7, 7}, new double[] {0.25, 0.25}, new double[] {0.25, 0.25}, REST))
                .withMessageContaining("twice");
    }

    private static KeyClass rest(double[] p, double[] q) {
        return new KeyClass(
                1e-15, 1e-15, 1 - Arrays.stream(p).sum(), 1 - Arrays.stream(q).sum());
    }

    @Test
    void aTableWhoseProbabilitiesDoNotSumToOneIsRefused() {
        long[] hashes = {1, 2};
        double[] half = {0.25, 0.25};
        for (double[] wrong : new double[][] {{0.9, 0.9}, {0.1, 0.1}, {Double.NaN, 0.5}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Distribution.exact(hashes, wrong, half, REST))
                    .withMessageContaining("the probabilities of all inserts sum to");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Distribution.exact(hashes, half, wrong, REST))
                    .withMessageContaining("the probabilities of all queries sum to");
        }
        assertThat(Distribution.exact(hashes, half, half, REST).classCount()).isGreaterThan(1);
    }

    @Test
    void zipfTakesAnyUniverseAndExponent() {
        for (double exponent : new double[] {0, 0.5, 1, 5, 40}) {
            for (long universe : new long[] {1, 2, 4_096, 1_000_000_000_000_000_000L, Long.MAX_VALUE / 4}) {
                Distribution zipf = Distribution.zipf(exponent, 0, universe, 3);
                assertThat(zipf.classCount()).isBetween(2, Distribution.MAX_CLASSES);
                assertThat(sum(zipf, KeyClass::insertShare))
                        .as("exponent %s, universe %d", exponent, universe)
                        .isCloseTo(1, within(1e-6));
                for (long rank : new long[] {1, (universe + 1) / 2, universe}) {
                    assertThat(zipf.classOf(Distribution.hashOfRank(rank, 3)))
                            .as("exponent %s, rank %d of %d", exponent, rank, universe)
                            .isBetween(0, zipf.classCount() - 2);
                }
            }
        }
    }

    @Test
    void zipfKnowsTheProbabilityOfEveryRank() {
        long universe = 1_000_000;
        Distribution zipf = Distribution.zipf(1.1, 0.5, universe, 42);
        assertThat(sum(zipf, KeyClass::insertShare)).isCloseTo(1, within(1e-9));
        assertThat(sum(zipf, KeyClass::queryShare)).isCloseTo(1, within(1e-9));
        double insertSum = 0;
        double querySum = 0;
        for (long rank = universe; rank >= 1; rank--) {
            insertSum += Math.pow((double) rank, -1.1);
            querySum += Math.pow((double) rank, -0.5);
        }
        for (long rank : new long[] {1, 2, 3, 10, 99, 100, 12_345, 999_999, universe}) {
            KeyClass keys = zipf.classes().get(zipf.classOf(Distribution.hashOfRank(rank, 42)));
            double p = Math.pow((double) rank, -1.1) / insertSum;
            double q = Math.pow((double) rank, -0.5) / querySum;
            assertThat(keys.insertProbability()).as("p of rank %d", rank).isCloseTo(p, within(0.03 * p));
            assertThat(keys.queryProbability()).as("q of rank %d", rank).isCloseTo(q, within(0.03 * q));
        }
        for (long rank : new long[] {0, -1, universe + 1, Long.MAX_VALUE}) {
            assertThat(zipf.classOf(Distribution.hashOfRank(rank, 42)))
                    .as("class of rank %d, which is none", rank)
                    .isEqualTo(zipf.classCount() - 1);
        }
    }

    /** The sizes that the paper's formula has for Zipf's law over 10^8 keys, uniform queries, 10^6 draws and 1 %. */
    @Test
    void bitsADrawFallWithSkew() {
        double[] exponents = {0.6, 0.8, 1.0, 1.1};
        double[] bits = {7.97, 5.89, 2.65, 1.34};
        for (int i = 0; i < exponents.length; i++) {
            List<KeyClass> classes =
                    Distribution.zipf(exponents[i], 0, 100_000_000, 1).classes();
            assertThat(DaisyMath.formulaBits(classes, 1e6, 0.01) / 1e6)
                    .as("exponent %s", exponents[i])
                    .isCloseTo(bits[i], within(0.01));
            assertThat(DaisyMath.condition(classes, 1e6, 0.01).holds()).isTrue();
        }
    }

    @Test
    void whatIsReadBackPutsEveryHashIntoTheSameClass() {
        SplittableRandom random = new SplittableRandom(12);
        long[] hashes = random.longs(333).toArray();
        double[] p = random.doubles(333, 1e-9, 1e-5).toArray();
        DistributionLearner learner = new DistributionLearner(8);
        for (int i = 0; i < 20_000; i++) {
            learner.addKey(random.nextLong());
            learner.addMiss(hashes[random.nextInt(100)]);
        }
        Distribution learned = learner.learn(100_000, 0.01);
        assertThat(learned.sketch()).isNotNull();
        for (Distribution distribution : List.of(
                Distribution.uniform(1e9),
                Distribution.exact(hashes, p, p, rest(p, p)),
                Distribution.zipf(0.9, 0, 1_000_000, -5),
                learned,
                Distribution.scored(SIGN, TWO))) {
            Distribution again = savedAndRead(distribution);
            assertThat(again.classes()).isEqualTo(distribution.classes());
            assertThat(again.isSameAs(distribution)).isTrue();
            assertThat(again.sizeInBits()).isEqualTo(distribution.sizeInBits());
            assertThat(again.classifierId()).isEqualTo(distribution.classifierId());
            for (int i = 0; i < 10_000; i++) {
                long hash = i < 333 ? hashes[i] : random.nextLong();
                assertThat(again.classOf(hash)).isEqualTo(distribution.classOf(hash));
            }
        }
    }

    @Test
    void aClassifierIsNeededAgainAfterReadingAndMustAnswerAsBefore() {
        Distribution again = savedAndRead(Distribution.classified(PARITY, TWO, false));
        assertThat(again.classOf(3)).isEqualTo(Distribution.UNKNOWN);
        assertThat(again.classifierId()).isEqualTo("parity");
        assertThat(again.bind(PARITY).classOf(3)).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> again.bind(new Rule("oddness", PARITY.function())))
                .withMessageContaining("'parity'")
                .withMessageContaining("'oddness'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> again.bind(new Rule("parity", hash -> hash < 0 ? 1 : 0)))
                .withMessageContaining("does not answer as it did");
    }

    @Test
    void aModelHasAsManyClassesAsItsDistribution() {
        List<KeyClass> three = List.of(TWO.get(0), TWO.get(1), TWO.get(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Distribution.scored(SIGN, three))
                .withMessageContaining("'sign 1' has 2 classes");
    }

    @Test
    void aClassThatIsNoneIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Distribution.classified(new Rule("wild", hash -> 2), TWO, true))
                .withMessageContaining("class 2 of 2");
    }

    @Test
    void countedDrawsBecomeSharesAndQueriesFollowFromThem() {
        Distribution counted = Distribution.classified(PARITY, TWO, false).withCountedInserts(new long[] {300, 100});
        assertThat(counted.areSharesKnown()).isTrue();
        assertThat(counted.classes().get(0).insertShare()).isCloseTo(0.75, within(0.01));
        // Queries for the second class are a tenth as likely for each key.
        assertThat(counted.classes().get(1).queryShare()
                        / counted.classes().get(0).queryShare())
                .isCloseTo(0.1 * 0.25 / 0.75, within(0.001));
    }

    @Test
    void imagesThatNobodyWroteAreRefusedOrDoNoHarm() {
        long[] hostile = {-1, 1L << 40, Long.MIN_VALUE};
        for (Distribution distribution :
                List.of(Distribution.zipf(1, 0, 1000, 1), Distribution.classified(PARITY, TWO, true))) {
            FilterImage image = image(distribution);
            for (ImageForm.Field field : FORM.fields()) {
                for (long value : hostile) {
                    assertRefusedOrHarmless(ChangedImage.with(FORM, image, field.name(), value));
                }
            }
            for (ImageForm.Section section : FORM.sections()) {
                for (int word = Words.LEAD; word < image.get(section).length; word++) {
                    for (long value : hostile) {
                        long[] words = image.get(section).clone();
                        words[word] = value;
                        assertRefusedOrHarmless(ChangedImage.with(FORM, image, section.name(), words));
                    }
                }
            }
        }
    }

    private static void assertRefusedOrHarmless(FilterImage image) {
        try {
            Distribution read = PARTS.read(image);
            assertThat(read.classOf(7)).isBetween(Distribution.UNKNOWN, read.classCount() - 1);
        } catch (MalformedFilterException e) {
            assertThat(e.getMessage()).startsWith("test: ");
        }
    }
}
