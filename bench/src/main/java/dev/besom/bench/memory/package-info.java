/** What reads of memory cost that no cache holds, how many of them a processor has in flight, and what parts of an insert cost. */
@NullMarked
package dev.besom.bench.memory;

import org.jspecify.annotations.NullMarked;
