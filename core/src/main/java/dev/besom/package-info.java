/**
 * Approximate-membership filters that clean up after their mistakes: what every filter promises, and the facade that
 * makes them.
 *
 * <p>A filter stands in memory in front of a dictionary that is slow to ask. It answers "certainly not there" for
 * nothing and "maybe" at the price of one remote read. An adaptive filter repairs each wrong "maybe" it is told of.
 *
 * <p>One word for one idea, everywhere in Besom:
 *
 * <ul>
 *   <li><b>key</b>: what a user stores or asks for; known to {@code dev.besom.hash} only.
 *   <li><b>hash</b>: the 64 bits that stand for a key. Filters see nothing else.
 *   <li><b>quotient</b>: the most significant part of a hash; it says where a key's slot belongs.
 *   <li><b>remainder</b>: the part of a hash that a slot stores.
 *   <li><b>fingerprint</b>: what a filter knows of a key: quotient and remainder together.
 *   <li><b>slot</b>: room for one remainder.
 *   <li><b>run</b>: the slots of all keys with one quotient, side by side.
 *   <li><b>cluster</b>: runs that touch each other.
 *   <li><b>block</b>: a fixed group of slots or bits that is laid out as one.
 *   <li><b>selector</b>: which piece of a key's hash a slot holds.
 *   <li><b>extension</b>: bits that lengthen a fingerprint after a repair.
 *   <li><b>spill</b>: a place beside a block for what its own code has no room for.
 * </ul>
 */
@NullMarked
package dev.besom;

import org.jspecify.annotations.NullMarked;
