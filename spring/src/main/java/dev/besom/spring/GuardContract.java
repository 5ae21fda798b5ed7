package dev.besom.spring;

/** Who writes to a table, and so what a "no" of its guard rests on. */
public enum GuardContract {

    /** This application alone, in one process, by {@link TableGuard#write}: a "no" is never wrong. */
    SOLE,

    /** Any number of instances of this application, each by {@link TableGuard#write}: a "no" is never wrong. */
    FLEET,

    /** Anybody, by any means: a "no" is at most a stated time old. On PostgreSQL and H2, where triggers record changes. */
    FEED
}
