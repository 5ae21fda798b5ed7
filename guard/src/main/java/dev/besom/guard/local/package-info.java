/**
 * The hashes of a store's keys in a folder beside it: a sorted file and a write-ahead log of the changes since. For stores
 * that cannot keep hashes themselves.
 */
@NullMarked
package dev.besom.guard.local;

import org.jspecify.annotations.NullMarked;
