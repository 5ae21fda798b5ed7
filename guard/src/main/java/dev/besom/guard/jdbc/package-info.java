/** Stores in tables of SQL databases. */
@NullMarked
package dev.besom.guard.jdbc;

import org.jspecify.annotations.NullMarked;
