package dev.besom.distribution;

import dev.besom.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * A filter for keys that a model scores: thresholds on the score make the classes. The model sees the key itself; the
 * filter sees its hash and its class.
 *
 * <p>The model must give a key the same score for ever: a key that falls into another class later may be answered "no".
 * A filter therefore saves the model's name and a check value of its thresholds and of what it says of its examples, and is
 * bound to no other one. Scores are compared to the precision of a float, so that a model that was trained again is noticed
 * even where no example is in another class, and another last digit on another machine does no harm. A change that shows
 * in none of the examples is not noticed.
 *
 * @param <K> the type of keys
 */
public final class ScoredKeys<K> {

    /**
     * A model with its thresholds.
     *
     * @param id a name that changes whenever the scores do
     * @param score a number for each key; not a number counts as the highest score
     * @param thresholds ascending; a key's class is how many of them its score has reached
     * @param examples keys by which the model is known again: a few hundred such as are stored and queried, of every
     *     class at least one, and always the same ones
     * @param sizeInBits the memory of the model's parameters, which counts as that of every filter made for it
     */
    public record Model<K>(
            String id,
            ToDoubleFunction<? super K> score,
            List<Double> thresholds,
            List<? extends K> examples,
            long sizeInBits) {

        /** Checks that the thresholds ascend. */
        public Model {
            thresholds = List.copyOf(thresholds);
            examples = List.copyOf(examples);
            for (int i = 1; i < thresholds.size(); i++) {
                if (!(thresholds.get(i - 1) < thresholds.get(i))) {
                    throw new IllegalArgumentException("the thresholds do not ascend: " + thresholds);
                }
            }
        }

        /**
         * A model for those who have scores instead of keys: a key is its score. That the scores are always the same is
         * theirs to see to; the filter notices another name and other thresholds.
         *
         * @param id a name that changes whenever the scores do
         * @param thresholds ascending
         * @param sizeInBits the memory of what the scores come from
         */
        public static Model<Double> ofScores(String id, List<Double> thresholds, long sizeInBits) {
            List<Double> examples = new ArrayList<>(thresholds);
            examples.add(Double.NEGATIVE_INFINITY);
            return new Model<>(id, score -> score, thresholds, examples, sizeInBits);
        }

        /** How many thresholds the score of a key has reached. */
        public int classOf(K key) {
            return classOfScore(score.applyAsDouble(key));
        }

        private int classOfScore(double value) {
            int keyClass = 0;
            while (keyClass < thresholds.size() && !(value < thresholds.get(keyClass))) {
                keyClass++;
            }
            return keyClass;
        }

        /** One more than there are thresholds. */
        public int classCount() {
            return thresholds.size() + 1;
        }

        /**
         * Checks that a filter was made for this model.
         *
         * @throws IllegalArgumentException if it was made for another one, or this one answers otherwise now
         */
        public void requireFilter(ClassifiedFilter filter) {
            filter.distribution().requireModel(this);
        }

        /** What must never change: the thresholds, and score and class of each example. */
        long[] answers() {
            LongStream ofExamples = examples.stream().mapToLong(this::answer);
            LongStream ofThresholds = thresholds.stream().mapToLong(Double::doubleToLongBits);
            return LongStream.concat(ofThresholds, ofExamples).toArray();
        }

        private long answer(K example) {
            double value = score.applyAsDouble(example);
            int digits = Float.floatToIntBits((float) value);
            return (long) classOfScore(value) << Integer.SIZE | Integer.toUnsignedLong(digits);
        }

        /** @throws IllegalArgumentException if there is a class that no example is in: nobody would notice its change */
        void requireExamples() {
            boolean[] hasExample = new boolean[classCount()];
            examples.forEach(example -> hasExample[classOf(example)] = true);
            for (int i = 0; i < hasExample.length; i++) {
                if (!hasExample[i]) {
                    throw new IllegalArgumentException(
                            "no example of the model '" + id + "' is in its class " + i + " of " + hasExample.length);
                }
            }
        }

        /** The distribution of the classes, by their shares in samples of keys to be stored and of keys that are queried. */
        public Distribution distribution(Iterable<? extends K> stored, Iterable<? extends K> queried) {
            double[] inserts = shares(stored);
            double[] queries = shares(queried);
            List<KeyClass> classes = new ArrayList<>();
            for (int i = 0; i < inserts.length; i++) {
                classes.add(new KeyClass(
                        inserts[i] / Distribution.WHOLE_UNIVERSE,
                        queries[i] / Distribution.WHOLE_UNIVERSE,
                        inserts[i],
                        queries[i]));
            }
            return Distribution.scored(this, classes);
        }

        /** None of them quite 0: what no sample had may come all the same. */
        private double[] shares(Iterable<? extends K> sample) {
            double[] shares = new double[classCount()];
            double sum = 0;
            for (int i = 0; i < shares.length; i++) {
                shares[i] = 0.5;
                sum += 0.5;
            }
            for (K key : sample) {
                shares[classOf(key)]++;
                sum++;
            }
            for (int i = 0; i < shares.length; i++) {
                shares[i] /= sum;
            }
            return shares;
        }
    }

    private final KeyHasher<? super K> hasher;
    private final Model<K> model;
    private final ClassifiedFilter filter;

    /** @throws IllegalArgumentException if the filter was made for another model, or this one answers otherwise now */
    public ScoredKeys(KeyHasher<? super K> hasher, Model<K> model, ClassifiedFilter filter) {
        model.requireFilter(filter);
        this.hasher = hasher;
        this.model = model;
        this.filter = filter;
    }

    /** Puts a key in; true if it is certainly new. */
    public boolean add(K key) {
        return filter.insertHash(hasher.hash(key), model.classOf(key));
    }

    /** Whether a key might be in. */
    public boolean mightContain(K key) {
        return filter.mightContainHash(hasher.hash(key), model.classOf(key));
    }

    /** The filter of hashes and classes underneath. */
    public ClassifiedFilter filter() {
        return filter;
    }
}
