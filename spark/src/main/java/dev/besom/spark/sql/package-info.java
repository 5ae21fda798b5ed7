/** The functions of SQL as expressions, and the rule that puts them into joins. */
@NullMarked
package dev.besom.spark.sql;

import org.jspecify.annotations.NullMarked;
