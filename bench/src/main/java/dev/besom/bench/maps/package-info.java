/** Maps from keys to small numbers: what they take, beside maps that keep their keys and functions of others. */
@NullMarked
package dev.besom.bench.maps;

import org.jspecify.annotations.NullMarked;
