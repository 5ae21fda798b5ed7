package dev.besom.lab.workload;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Keys from outside the lab, such as those of a user's file, as 64-bit hashes. They can be read again and again, and are
 * never all held in memory.
 */
public interface KeySource {

    /** What messages call it: a file's name. */
    String name();

    /** The words that name it on the command line, behind the option that takes it. */
    default List<String> words() {
        return List.of(name());
    }

    /**
     * Starts to read.
     *
     * @throws IllegalArgumentException if there are no such keys, or they cannot be read as what they are said to be; the
     *     stream throws it too, where it comes to such a key
     * @throws java.io.UncheckedIOException if reading fails
     */
    QueryStream open();

    /**
     * Gives each key, as often as it comes.
     *
     * @throws IllegalArgumentException as {@link #open()}
     */
    default void forEach(LongConsumer action) {
        try (QueryStream stream = open()) {
            while (stream.hasNext()) {
                action.accept(stream.next());
            }
        }
    }
}
