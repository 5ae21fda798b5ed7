/**
 * Quotient filters: hash tables of remainders with linear probing, in which a few bits a slot say where each remainder
 * belongs. Three storeys, each of which knows only the one below it:
 *
 * <ol>
 *   <li>{@code SlotLayout} and {@code Slots}: where the bits of a slot lie; no meaning.
 *   <li>{@code Runs}: the slots of one quotient side by side; rank, select, shift; no idea what a remainder is.
 *   <li>{@code QuotientKeys} and the filters: which quotient and which remainders a hash has.
 * </ol>
 *
 * <p>The adaptive kinds add a <i>tag</i> beside each slot, a selector or an extension: what they have learned from false
 * positives. {@code Tags} keeps them, {@code TaggedFilter} writes them, and the filters answer questions by them.
 *
 * <p>Where the store is ahead of an adaptive filter, or the filter of the store, because inserts or deletes are under way,
 * no key is lost. A slot whose owner is not certain is left alone, and a repair then says
 * {@link dev.besom.Adaptation#INSEPARABLE}. Only where each side is ahead of the other in one quotient at the same time, by
 * keys with the same fingerprint, nobody could tell them apart: keep to one order, the store first or the filter first.
 */
@NullMarked
package dev.besom.quotient;

import org.jspecify.annotations.NullMarked;
