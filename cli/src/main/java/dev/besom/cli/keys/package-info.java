/**
 * The user's own keys: how they stand in files, how they are read in batches and how they become 64-bit hashes. The one
 * place that knows; the command line and the workloads both read through it.
 */
@NullMarked
package dev.besom.cli.keys;

import org.jspecify.annotations.NullMarked;
