package dev.besom.testkit;

/**
 * One thing that a filter's interfaces say of it, and how to find out.
 *
 * @param text the promise; the test's name
 * @param check fails where a subject breaks the promise
 */
record Promise(String text, Check check) {

    @FunctionalInterface
    interface Check {
        void run(Subject subject) throws Exception;
    }

    /** Checks the promise; a failure names the subject and the seed that all of the check's numbers come from. */
    void assertKeptBy(Subject subject) throws Exception {
        try {
            check.run(subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "%s: not kept: %s (base seed %d): %s".formatted(subject, text, Seeds.base(), e.getMessage()), e);
        }
    }
}
