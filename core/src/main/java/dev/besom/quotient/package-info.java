/**
 * Quotient filters: hash tables of remainders with linear probing, in which a few bits a slot say where each remainder
 * belongs. Three storeys, each of which knows only those below it:
 *
 * <ol>
 *   <li>{@code dev.besom.quotient.slots}: the table. Where the bits of a slot lie; the slots of one quotient side by side;
 *       which quotient and which remainders a hash has.
 *   <li>{@code dev.besom.quotient.tags}: a <i>tag</i> beside each slot, a selector or an extension, for adaptive kinds.
 *   <li>this package: the filters, which give remainders and tags their meaning, their repairs, growth and kinds.
 * </ol>
 *
 * <p>Where the store is ahead of an adaptive filter, or the filter of the store, because inserts or deletes are in flight,
 * no key is lost. A slot whose owner is not certain is left alone, and a repair then says
 * {@link dev.besom.Adaptation#INSEPARABLE}. Only where each side is ahead of the other in one quotient at the same time, by
 * keys with the same fingerprint, nobody could tell them apart: keep to one order, the store first or the filter first.
 */
@NullMarked
package dev.besom.quotient;

import org.jspecify.annotations.NullMarked;
