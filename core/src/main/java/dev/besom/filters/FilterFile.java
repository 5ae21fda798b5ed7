package dev.besom.filters;

import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;

/**
 * What a filter file holds.
 *
 * @param filter the filter of hashes, ready for use
 * @param hasher the hasher whose hashes were put in
 */
public record FilterFile(PersistentFilter filter, HasherStamp hasher) {}
