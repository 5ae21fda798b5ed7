/**
 * What a guard stands before: a {@link dev.besom.guard.store.Store} that keeps hashes beside its keys, or a
 * {@link dev.besom.guard.store.Loader} that can only be read.
 */
@NullMarked
package dev.besom.guard.store;

import org.jspecify.annotations.NullMarked;
