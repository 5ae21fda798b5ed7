/**
 * Which filter to use. What a kind can do comes from its {@code Kind}, what it costs from a filter that is really made,
 * what it saves from the formulas of {@code dev.besom.math}; no kind is known here by name.
 */
@NullMarked
package dev.besom.lab.advice;

import org.jspecify.annotations.NullMarked;
