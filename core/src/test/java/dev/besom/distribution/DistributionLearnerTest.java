package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.hash.Mix;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DistributionLearnerTest {

    private static final double N = 1_000_000;
    private static final double FPP = 0.01;

    private static long hot(int index) {
        return Mix.mix(index + 1);
    }

    /** Keys are all alike; nine of ten questions are for a thousand hot keys that are hardly ever stored. */
    private static DistributionLearner hotQuestions() {
        SplittableRandom random = new SplittableRandom(31);
        DistributionLearner learner = new DistributionLearner();
        for (int i = 0; i < 40_000; i++) {
            learner.addKey(random.nextLong());
            learner.addQuery(random.nextInt(10) > 0 ? hot(random.nextInt(1000)) : random.nextLong());
        }
        return learner;
    }

    @Test
    void hotQuestionsAreToldFromOthersInASmallSketch() {
        Distribution learned = hotQuestions().learn(N, FPP);
        assertThat(learned.sizeInBits()).isLessThan(200_000);
        int hot = 0;
        for (int i = 0; i < 1000; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(hot(i)));
            hot += DaisyMath.wholeProbes(keys, N, FPP) == 7 ? 1 : 0;
        }
        assertThat(hot).isGreaterThan(990);
        SplittableRandom random = new SplittableRandom(32);
        int spared = 0;
        for (int i = 0; i < 1000; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(random.nextLong()));
            spared += DaisyMath.wholeProbes(keys, N, FPP) < 7 ? 1 : 0;
        }
        assertThat(spared).isGreaterThan(900);
        double uniform = DaisyPlan.of(
                        Distribution.uniform(Distribution.WHOLE_UNIVERSE).classes(), N, FPP)
                .bits();
        assertThat(DaisyPlan.of(learned.classes(), N, FPP).bits() + learned.sizeInBits())
                .isLessThan(0.7 * uniform);
    }

    @Test
    void whereKnowledgeDoesNotPayNothingIsKept() {
        SplittableRandom random = new SplittableRandom(33);
        DistributionLearner alike = new DistributionLearner();
        for (int i = 0; i < 40_000; i++) {
            alike.addKey(random.nextLong());
            alike.addQuery(random.nextLong());
        }
        assertThat(alike.learn(N, FPP).isSameAs(Distribution.uniform(Distribution.WHOLE_UNIVERSE)))
                .isTrue();
        // The same hot questions before a filter of a thousand keys, which is smaller than any sketch.
        assertThat(hotQuestions().learn(1000, FPP).sketch()).isNull();
        assertThat(new DistributionLearner().learn(N, FPP).classCount()).isEqualTo(1);
    }

    /** One question in the sample, or a few hundred, say nothing of what part of all questions each class is. */
    @Test
    void nothingIsLearnedFromAFewQuestionsOrKeys() {
        int least = DistributionLearner.LEAST_SAMPLE;
        assertThat(ofHot(40_000, 1).classCount()).isEqualTo(1);
        assertThat(ofHot(40_000, least - 1).classCount()).isEqualTo(1);
        assertThat(ofHot(least - 1, 40_000).classCount()).isEqualTo(1);
        assertThat(ofHot(least, least).classCount()).isGreaterThan(1);
    }

    private static Distribution ofHot(int keys, int questions) {
        SplittableRandom random = new SplittableRandom(35);
        DistributionLearner learner = new DistributionLearner();
        random.longs(keys).forEach(learner::addKey);
        random.ints(questions, 0, 10).forEach(index -> learner.addQuery(hot(index)));
        return learner.learn(N, FPP);
    }

    /** Half of all inserts are of ten keys over and over: those are surely stored and need no bits. */
    @Test
    void keysThatAreSurelyStoredAreFoundOut() {
        SplittableRandom random = new SplittableRandom(34);
        DistributionLearner learner = new DistributionLearner();
        for (int i = 0; i < 20_000; i++) {
            learner.addKey(random.nextBoolean() ? hot(random.nextInt(10)) : random.nextLong());
            learner.addQuery(random.nextLong());
        }
        Distribution learned = learner.learn(N, FPP);
        for (int i = 0; i < 10; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(hot(i)));
            assertThat(DaisyMath.wholeProbes(keys, N, FPP)).isZero();
        }
        assertThat(DaisyPlan.of(learned.classes(), N, FPP).bits() / N).isLessThan(5.2);
    }

    @Test
    void theSameSamplesGiveTheSameDistribution() {
        assertThat(hotQuestions().learn(N, FPP).isSameAs(hotQuestions().learn(N, FPP)))
                .isTrue();
    }

    @Test
    void rowsHaveLimits() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DistributionLearner(4));
        assertThatIllegalArgumentException().isThrownBy(() -> new DistributionLearner(25));
    }
}
