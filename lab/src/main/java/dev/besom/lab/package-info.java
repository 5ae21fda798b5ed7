/** Where filters are measured: streams of queries, races between kinds, the papers' experiments. */
@NullMarked
package dev.besom.lab;

import org.jspecify.annotations.NullMarked;
