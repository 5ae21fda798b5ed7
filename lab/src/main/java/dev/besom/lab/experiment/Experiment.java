package dev.besom.lab.experiment;

import java.util.Optional;

/**
 * A figure or table of a paper, made again. Implementations are named after both, such as {@code TelescopingFigure4},
 * keep no state between runs, and stand in {@link Experiments}.
 */
public interface Experiment {

    /** What it is, and what to see in it. */
    Description description();

    /**
     * Runs the experiment.
     *
     * @throws IllegalArgumentException if the user's file is wrong
     * @throws java.io.UncheckedIOException if a file cannot be read
     */
    Findings run(Conditions conditions);

    /**
     * About how many minutes it takes on a common server with as many processors as there are here; 0 where one of them
     * takes fewer than two, or where a file of the user's decides.
     */
    default int minutes(Scale scale) {
        return 0;
    }

    /** What is missing to run it under these conditions, in words that fit behind "needs"; empty if nothing is. */
    default Optional<String> missing(Conditions conditions) {
        return Optional.empty();
    }
}
