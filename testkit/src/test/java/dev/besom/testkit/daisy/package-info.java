/** What filters that know the distribution promise, measured. */
@NullMarked
package dev.besom.testkit.daisy;

import org.jspecify.annotations.NullMarked;
