/**
 * Stored hashes, the remote side of the adaptive filters, where no database is at hand: in memory, and in a sorted file.
 */
@NullMarked
package dev.besom.stored;

import org.jspecify.annotations.NullMarked;
