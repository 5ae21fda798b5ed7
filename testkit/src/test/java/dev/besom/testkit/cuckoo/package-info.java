/** Cuckoo filters held against the contracts and their predicted rates. */
@NullMarked
package dev.besom.testkit.cuckoo;

import org.jspecify.annotations.NullMarked;
