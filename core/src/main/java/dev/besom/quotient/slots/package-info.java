/**
 * The table under every filter of this family, in two storeys: {@code SlotLayout} and {@code Slots} know where the bits of
 * a slot lie; {@code Runs} knows the slots of one quotient side by side, rank, select and shift, and has no idea what a
 * remainder is. {@code QuotientKeys} says which quotient and which remainders a hash has.
 */
@NullMarked
package dev.besom.quotient.slots;

import org.jspecify.annotations.NullMarked;
