/** For those who add a kind of filter: what a kind is, how its state becomes an image, and how it is found. */
@NullMarked
package dev.besom.spi;

import org.jspecify.annotations.NullMarked;
