/**
 * Cascades: filters made adaptive by moving the keys that were mistaken to a next, smaller filter.
 *
 * <p>Beside the words of {@code dev.besom}: a <b>level</b> is one filter of a cascade, the last one a table of whole
 * hashes; a <b>cell</b> is a bit of a Bloom filter's level, a <b>slice</b> the cells of one hash function; a cell or a
 * fingerprint is <b>dead</b> once it had a false positive, and all keys that have it have <b>moved</b> to the
 * next level; an <b>owner</b> of a cell is a key that sets it; a <b>generation</b> is the time between two changes of
 * all hash functions.
 *
 * <p>Built on the quotient and compact families, whose filters are the levels of a {@link
 * dev.besom.cascade.CascadeFilter}, and on {@code dev.besom.stored}, whose ordered hashes find the keys of a cell.
 */
@NullMarked
package dev.besom.cascade;

import org.jspecify.annotations.NullMarked;
