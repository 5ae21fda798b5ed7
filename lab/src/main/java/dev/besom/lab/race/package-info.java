/** Races: several kinds of filter side by side, on the same keys and the same queries, in one run. */
@NullMarked
package dev.besom.lab.race;

import org.jspecify.annotations.NullMarked;
