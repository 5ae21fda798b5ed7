/** The facade that makes and reads filters, and the registry of their kinds. */
@NullMarked
package dev.besom.filters;

import org.jspecify.annotations.NullMarked;
