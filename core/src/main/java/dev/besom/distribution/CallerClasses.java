package dev.besom.distribution;

import dev.besom.hash.Mix;
import org.jspecify.annotations.Nullable;

/**
 * What is saved of a classifier that is the caller's own: its name, and a check value of its answers to fixed hashes.
 *
 * @param id the classifier's name
 * @param check the check value of its answers; 0 where classes are given with each key
 * @param classifier the classifier itself; null where it is not at hand, or where classes are given with each key
 */
record CallerClasses(String id, long check, @Nullable HashClassifier classifier) {

    static final int MOST_CHARACTERS = 200;
    private static final int CHECKED_HASHES = 512;

    CallerClasses {
        if (id.isEmpty() || id.length() > MOST_CHARACTERS || id.chars().anyMatch(c -> c < 0x20 || c > 0x7E)) {
            throw new IllegalArgumentException(
                    "a classifier's id must be 1 to 200 characters of ASCII, not '" + id + "'");
        }
    }

    static CallerClasses of(HashClassifier classifier, int classCount) {
        return new CallerClasses(classifier.id(), checkOf(classifier, classCount), classifier);
    }

    /** The same with the classifier at hand, which must be the one that was saved. */
    CallerClasses bind(HashClassifier candidate, int classCount) {
        if (!candidate.id().equals(id)) {
            throw new IllegalArgumentException(
                    "the classes are those of '" + id + "', not of '" + candidate.id() + "'");
        }
        if (checkOf(candidate, classCount) != check) {
            throw new IllegalArgumentException(
                    "the classifier '" + id + "' does not answer as it did when it was saved");
        }
        return new CallerClasses(id, check, candidate);
    }

    private static long checkOf(HashClassifier classifier, int classCount) {
        long check = 0;
        for (int i = 0; i < CHECKED_HASHES; i++) {
            check = Mix.mix(check + classOf(classifier, Mix.expand(i, 0, 0), classCount) + 1);
        }
        return check;
    }

    static int classOf(HashClassifier classifier, long hash, int classCount) {
        int answer = classifier.classOf(hash);
        if (answer < 0 || answer >= classCount) {
            throw new IllegalStateException(
                    "the classifier '" + classifier.id() + "' answered class " + answer + " of " + classCount);
        }
        return answer;
    }
}
