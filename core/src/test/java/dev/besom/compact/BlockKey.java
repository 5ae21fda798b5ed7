package dev.besom.compact;

/** What a block knows of a key. */
record BlockKey(int chain, int fingerprint) {}
