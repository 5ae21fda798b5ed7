/**
 * How the guards of several processes keep each other's keys in their filters. The protocol, its invariants and why they hold
 * are in {@code docs/guard.md}. Not exported.
 */
@NullMarked
package dev.besom.guard.fleet;

import org.jspecify.annotations.NullMarked;
