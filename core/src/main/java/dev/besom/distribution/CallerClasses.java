package dev.besom.distribution;

import dev.besom.hash.Mix;
import org.jspecify.annotations.Nullable;

/**
 * What is saved of code that is the caller's own: its name, and a check value of its answers to fixed queries. Code that
 * answers one of them otherwise is refused, because keys would be queried in other classes than they were inserted in.
 *
 * @param code what it tells classes by
 * @param id its name
 * @param check the check value of its answers
 * @param sizeInBits its memory, which is part of a filter's
 * @param classifier the classifier itself; null where it is not at hand, or where classes are given with each key
 */
record CallerClasses(
        Code code,
        String id,
        long check,
        long sizeInBits,
        @Nullable HashClassifier classifier) {

    static final int MOST_CHARACTERS = 200;

    /** No memory has more; sizes of filters are sums of it and cannot overflow. */
    private static final long MOST_BITS = 1L << 56;

    private static final int CHECKED_HASHES = 512;

    /** What the caller's code tells classes by. */
    enum Code {
        /** A {@link HashClassifier}: by the hash. */
        CLASSIFIER("classifier"),
        /** A {@link ScoredKeys.Model}: by the key, whose class is given with each query. */
        MODEL("model");

        private final String word;

        Code(String word) {
            this.word = word;
        }
    }

    CallerClasses {
        if (sizeInBits < 0 || sizeInBits > MOST_BITS) {
            throw new IllegalArgumentException("a " + code.word + " of " + sizeInBits + " bits cannot be");
        }
        if (id.isEmpty() || id.length() > MOST_CHARACTERS || id.chars().anyMatch(c -> c < 0x20 || c > 0x7E)) {
            throw new IllegalArgumentException(
                    "the id of a " + code.word + " must be 1 to 200 characters of ASCII, not '" + id + "'");
        }
    }

    static CallerClasses of(HashClassifier classifier, int classCount) {
        return new CallerClasses(
                Code.CLASSIFIER,
                classifier.id(),
                checkOf(answers(classifier, classCount)),
                classifier.sizeInBits(),
                classifier);
    }

    static CallerClasses of(ScoredKeys.Model<?> model) {
        return new CallerClasses(Code.MODEL, model.id(), checkOf(model.answers()), model.sizeInBits(), null);
    }

    /**
     * The same with the classifier at hand.
     *
     * @throws IllegalArgumentException if it is not the one that was saved, or answers otherwise
     */
    CallerClasses bind(HashClassifier candidate, int classCount) {
        requireName(Code.CLASSIFIER, candidate.id());
        requireAnswers(answers(candidate, classCount));
        return new CallerClasses(code, id, check, sizeInBits, candidate);
    }

    /** @throws IllegalArgumentException if the model is not the one that was saved, or answers otherwise */
    void requireModel(ScoredKeys.Model<?> candidate) {
        requireName(Code.MODEL, candidate.id());
        requireAnswers(candidate.answers());
    }

    private void requireName(Code candidate, String name) {
        if (candidate != code || !name.equals(id)) {
            throw new IllegalArgumentException("the classes are those of the " + code.word + " '" + id
                    + "', not of the " + candidate.word + " '" + name + "'");
        }
    }

    private void requireAnswers(long[] answers) {
        if (checkOf(answers) != check) {
            throw new IllegalArgumentException("the " + code.word + " '" + id
                    + "' does not answer as it did when the filter was made; use the one of that time, or give this one"
                    + " another name and build the filter anew");
        }
    }

    private static long checkOf(long[] answers) {
        long check = 0;
        for (long answer : answers) {
            check = Mix.mix(check + answer + 1);
        }
        return check;
    }

    private static long[] answers(HashClassifier classifier, int classCount) {
        long[] answers = new long[CHECKED_HASHES];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = classOf(classifier, Mix.expand(i, 0, 0), classCount);
        }
        return answers;
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
