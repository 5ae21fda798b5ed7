/** Cascades with other options than the default ones. */
@NullMarked
package dev.besom.testkit.cascade;

import org.jspecify.annotations.NullMarked;
