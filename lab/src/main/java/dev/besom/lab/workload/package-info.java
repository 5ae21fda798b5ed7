/**
 * The queries of a filter: seeded streams of 64-bit keys, an adversary, and the user's own files. A key here is the
 * 64-bit number that filters are asked for; text and packets become such a number once, when they are read.
 */
@NullMarked
package dev.besom.lab.workload;

import org.jspecify.annotations.NullMarked;
