/**
 * Filters that know the distribution: keys that are likely stored, or seldom queried, take less space or none.
 *
 * <p>Built on the quotient family (a fingerprint filter a class) and on the Bloom family (a Bloom filter a region).
 */
@NullMarked
package dev.besom.daisy;

import org.jspecify.annotations.NullMarked;
