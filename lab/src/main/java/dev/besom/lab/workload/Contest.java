package dev.besom.lab.workload;

/**
 * A game against an adversary who follows a strategy, for as many queries as the race has.
 *
 * @param name as written on the command line
 * @param strategy the strategy's name, one of {@code dev.besom.lab.game.Strategy}
 */
public record Contest(String name, String strategy) implements Workload {}
