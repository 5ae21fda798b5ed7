package dev.besom.cli;

/** What the process tells the shell. */
final class ExitCode {

    static final int DONE = 0;

    /** Bad usage or bad input: the caller can mend it. */
    static final int BAD_INPUT = 1;

    /** The environment failed: a disk, a pipe, memory. */
    static final int ENVIRONMENT = 2;

    private ExitCode() {}
}
