package dev.besom.distribution;

import dev.besom.hash.KeyHasher;
import dev.besom.math.KeyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * A filter for keys that a model scores: thresholds on the score make the classes. The model sees the key itself; the
 * filter sees its hash and its class.
 *
 * <p>The model must give a key the same score for ever: a key that falls into another class later may be answered "no".
 * A filter therefore saves the model's name, and is bound to a model of that name only.
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
     */
    public record Model<K>(String id, ToDoubleFunction<? super K> score, List<Double> thresholds) {

        public Model {
            thresholds = List.copyOf(thresholds);
            for (int i = 1; i < thresholds.size(); i++) {
                if (!(thresholds.get(i - 1) < thresholds.get(i))) {
                    throw new IllegalArgumentException("the thresholds do not ascend: " + thresholds);
                }
            }
        }

        public int classOf(K key) {
            double value = score.applyAsDouble(key);
            int keyClass = 0;
            while (keyClass < thresholds.size() && !(value < thresholds.get(keyClass))) {
                keyClass++;
            }
            return keyClass;
        }

        /** The distribution of the classes, by their shares in samples of keys to be stored and of keys asked for. */
        public Distribution distribution(Iterable<? extends K> stored, Iterable<? extends K> asked) {
            double[] inserts = shares(stored);
            double[] queries = shares(asked);
            List<KeyClass> classes = new ArrayList<>();
            for (int i = 0; i < inserts.length; i++) {
                classes.add(new KeyClass(
                        inserts[i] / Distribution.WHOLE_UNIVERSE,
                        queries[i] / Distribution.WHOLE_UNIVERSE,
                        inserts[i],
                        queries[i]));
            }
            return Distribution.scored(id, classes);
        }

        /** None of them quite 0: what no sample had may come all the same. */
        private double[] shares(Iterable<? extends K> sample) {
            double[] shares = new double[thresholds.size() + 1];
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

    /** @throws IllegalArgumentException if the filter was made for another model */
    public ScoredKeys(KeyHasher<? super K> hasher, Model<K> model, ClassifiedFilter filter) {
        Distribution known = filter.distribution();
        if (!Objects.equals(known.classifierId(), model.id())
                || known.classCount() != model.thresholds().size() + 1) {
            throw new IllegalArgumentException("the filter knows the classes of '" + known.classifierId()
                    + "', not those of '" + model.id() + "'");
        }
        this.hasher = hasher;
        this.model = model;
        this.filter = filter;
    }

    /** Puts a key in; true if it is certainly new. */
    public boolean add(K key) {
        return filter.insert(hasher.hash(key), model.classOf(key));
    }

    public boolean mightContain(K key) {
        return filter.mightContain(hasher.hash(key), model.classOf(key));
    }

    public ClassifiedFilter filter() {
        return filter;
    }
}
