/**
 * Other libraries' filters as contenders, each behind a small adapter that hands it 64-bit keys the way its own users
 * would: the library hashes them by itself, with its own defaults.
 */
@NullMarked
package dev.besom.lab.peer;

import org.jspecify.annotations.NullMarked;
