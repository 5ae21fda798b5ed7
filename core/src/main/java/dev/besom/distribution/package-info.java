/**
 * What is known of the keys before they come: how likely each is inserted and queried.
 *
 * <p>A {@link dev.besom.distribution.Distribution} puts every hash into one of a few classes of keys that are alike. It
 * never changes: a filter saves it beside its bits, and a hash has the same class in every query as it had when it was
 * put in. That is all that keeps filters built on it from losing keys; how well the classes fit the real keys matters for
 * space and rates only.
 */
@NullMarked
package dev.besom.distribution;

import org.jspecify.annotations.NullMarked;
