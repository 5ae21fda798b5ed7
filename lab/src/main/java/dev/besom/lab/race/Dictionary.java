package dev.besom.lab.race;

import java.util.function.LongConsumer;

/** What is really stored: tells false positives from hits. */
public interface Dictionary {

    /** Whether the key is stored. */
    boolean contains(long key);

    /** How many keys are stored. */
    long count();

    /** Gives every stored key. */
    void forEach(LongConsumer action);
}
