package dev.besom.cli.keys;

/** Whether a key was found when it was looked up, as far as a log tells. */
public enum Outcome {
    HIT,
    MISS,
    UNKNOWN
}
