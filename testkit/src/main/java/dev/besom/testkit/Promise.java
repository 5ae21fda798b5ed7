package dev.besom.testkit;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * One thing that a filter's interfaces say of it, and how to find out.
 *
 * @param text the promise; the test's name
 * @param isAlone whether no other promise is checked at the same time, because the check's own threads have to meet
 * @param check fails where a subject breaks the promise
 */
record Promise(String text, boolean isAlone, Check check) {

    /** Checks of promises share the machine, or have it alone. */
    private static final ReadWriteLock MACHINE = new ReentrantReadWriteLock();

    @FunctionalInterface
    interface Check {
        void run(Subject subject) throws Exception;
    }

    /** A promise that may be checked beside others. */
    Promise(String text, Check check) {
        this(text, false, check);
    }

    /** A promise about threads that race. */
    static Promise ofThreads(String text, Check check) {
        return new Promise(text, true, check);
    }

    /** Checks the promise; a failure names the subject and the seed that all of the check's numbers come from. */
    void assertKeptBy(Subject subject) throws Exception {
        Lock share = isAlone ? MACHINE.writeLock() : MACHINE.readLock();
        share.lock();
        try {
            check.run(subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "%s: not kept: %s (base seed %d): %s".formatted(subject, text, Seeds.base(), e.getMessage()), e);
        } finally {
            share.unlock();
        }
    }
}
