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
 * <p>The adaptive kinds add, beside each slot, what they have learned from false positives.
 */
@NullMarked
package dev.besom.quotient;

import org.jspecify.annotations.NullMarked;
