/** Tests of what a build writes, without a session. */
@NullMarked
package dev.besom.spark.build;

import org.jspecify.annotations.NullMarked;
