/** Tests on a session of two threads, and on a cluster of processes. */
@NullMarked
package dev.besom.spark;

import org.jspecify.annotations.NullMarked;
