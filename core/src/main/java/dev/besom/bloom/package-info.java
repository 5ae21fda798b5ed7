/** Bloom filters: plain, blocked, counting, with removals by a second filter, and growing. */
@NullMarked
package dev.besom.bloom;

import org.jspecify.annotations.NullMarked;
