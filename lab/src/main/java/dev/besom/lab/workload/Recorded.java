package dev.besom.lab.workload;

/**
 * Queries that somebody recorded, in their order.
 *
 * @param source where they come from
 */
public record Recorded(KeySource source) implements Workload.Stream {

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public QueryStream open(KeySpace space, long stored) {
        return source.open();
    }
}
