package dev.besom.spi;

import dev.besom.LongApproximateMap;

/** A map from hashes to numbers that can be written to bytes and read again. */
public interface PersistentMap extends PersistentFilter, LongApproximateMap {}
