/**
 * The sustained false-positive rate as a game. An adversary queries a filter, sees every answer, and now and then names the
 * query that it expects to be a false positive. The part of the named queries that are is what it wins; of an adaptive
 * filter it must not win more than the rate that the filter was planned for, however it plays.
 */
@NullMarked
package dev.besom.lab.game;

import org.jspecify.annotations.NullMarked;
