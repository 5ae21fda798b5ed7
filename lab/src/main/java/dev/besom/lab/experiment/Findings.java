package dev.besom.lab.experiment;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an experiment found.
 *
 * @param parameters what it was run with, by name: sizes, numbers of queries and repeats
 * @param plots the plots, at least one
 * @param table the numbers behind them
 */
public record Findings(Map<String, String> parameters, List<Plot> plots, ResultTable table) {

    public Findings {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        plots = List.copyOf(plots);
        if (plots.isEmpty()) {
            throw new IllegalArgumentException("an experiment has at least one plot");
        }
    }
}
