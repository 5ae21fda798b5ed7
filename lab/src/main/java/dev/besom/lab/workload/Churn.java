package dev.besom.lab.workload;

/**
 * Keys come and go while queries are asked: between queries a stored key, each with the same chance, is replaced by a new one.
 * One miss in ten is for a key that has left, and the others follow Zipf's law over keys that are never stored.
 *
 * @param name as written on the command line
 * @param changesAQuery how many stored keys are replaced for each query
 * @param exponent of Zipf's law
 */
public record Churn(String name, double changesAQuery, double exponent) implements Workload {

    /** Of the misses, those that are for a key that has left. */
    public static final double REMOVED_SHARE = 0.1;

    static final double DEFAULT_CHANGES = 0.1;
    static final double DEFAULT_EXPONENT = 1;

    /** The misses for keys that are never stored. */
    public QueryStream strangers(KeySpace space, long stored) {
        return ((Workload.Stream) Workloads.parse("zipf:" + exponent)).open(space, stored);
    }
}
