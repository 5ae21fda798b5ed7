/**
 * The papers' experiments, made again: one class for each figure or table, named after both. {@link
 * dev.besom.lab.experiment.Experiments} lists them; a result is plain data that can be saved as JSON and drawn later.
 */
@NullMarked
package dev.besom.lab.experiment;

import org.jspecify.annotations.NullMarked;
