/** What reads of memory cost that no cache holds, and how many of them a processor has in flight. */
@NullMarked
package dev.besom.bench.memory;

import org.jspecify.annotations.NullMarked;
