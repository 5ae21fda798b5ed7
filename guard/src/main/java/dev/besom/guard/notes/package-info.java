/** What a guard keeps in a store's {@link dev.besom.guard.store.Notes} beside its keys. Not exported. */
@NullMarked
package dev.besom.guard.notes;

import org.jspecify.annotations.NullMarked;
