/**
 * The one room that knows keys: how a key becomes a 64-bit hash, and how a hash is stretched into more bits.
 */
@NullMarked
package dev.besom.hash;

import org.jspecify.annotations.NullMarked;
