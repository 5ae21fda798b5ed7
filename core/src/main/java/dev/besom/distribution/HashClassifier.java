package dev.besom.distribution;

/**
 * A user's own way to tell classes of keys apart by their hashes: a rule, a score with thresholds, a model. It is code
 * and cannot be saved, so its answers must depend on nothing but the hash, for ever: no clocks, no retraining under the
 * same name, and no floating-point functions that may differ in the last digit between machines ({@link StrictMath} does
 * not). A filter saves the name and a check value of the answers, and refuses a classifier that answers otherwise.
 */
public interface HashClassifier {

    /** A name that changes whenever the answers do; up to 200 characters of ASCII. */
    String id();

    /** The memory of what it decides by, which counts as the filter's; 0 where it is code and nothing else. */
    default long sizeInBits() {
        return 0;
    }

    /** The class, from 0 on. */
    int classOf(long hash);
}
