package dev.besom.lab.workload;

/** The queries of a race: a stream of keys, one between which keys change, or an adversary who looks at the answers. */
public sealed interface Workload permits Workload.Stream, Adversary, Contest, Churn {

    /** The name as it is written on the command line. */
    String name();

    /** A workload that does not look at the answers. */
    non-sealed interface Stream extends Workload {

        /**
         * Starts the stream from its beginning. The same key space and count give the same keys each time.
         *
         * @param space where foreign keys come from; its seed also seeds the stream
         * @param stored how many keys the filters hold
         */
        QueryStream open(KeySpace space, long stored);
    }
}
