/** Tests of expressions without a session. */
@NullMarked
package dev.besom.spark.sql;

import org.jspecify.annotations.NullMarked;
