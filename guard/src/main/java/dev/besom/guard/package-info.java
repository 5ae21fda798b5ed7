/**
 * Filters in front of stores. A {@link dev.besom.guard.Guard} keeps lookups from a store that cannot find anything there,
 * pays for each false positive once, and counts what happened.
 */
@NullMarked
package dev.besom.guard;

import org.jspecify.annotations.NullMarked;
