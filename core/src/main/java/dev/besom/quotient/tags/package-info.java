/**
 * Tags: what an adaptive filter keeps beside each slot, a selector or an extension, and the forms in which a block keeps
 * them: bytes, bitmaps, or codes of one word. What a tag means is not known here.
 */
@NullMarked
package dev.besom.quotient.tags;

import org.jspecify.annotations.NullMarked;
