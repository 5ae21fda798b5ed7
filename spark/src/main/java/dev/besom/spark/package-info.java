/**
 * Besom's filters on Apache Spark: built from a column, used in SQL and in joins. Keys have the hashes that they have in the
 * core, so a filter that was built here answers in any JVM, and the other way round.
 */
@NullMarked
package dev.besom.spark;

import org.jspecify.annotations.NullMarked;
