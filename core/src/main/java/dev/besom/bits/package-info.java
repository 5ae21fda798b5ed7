/**
 * Bits in arrays of words: vectors, packed numbers, rank and select, codes. Nothing here knows what the bits mean.
 */
@NullMarked
package dev.besom.bits;

import org.jspecify.annotations.NullMarked;
