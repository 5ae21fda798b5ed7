package dev.besom.lab.experiment;

/**
 * A run of an experiment, with all that is needed to draw it and to run it again.
 *
 * @param description what was run
 * @param provenance how it was run
 * @param findings what was found
 */
public record ExperimentResult(Description description, Provenance provenance, Findings findings) {

    /**
     * Where findings come from.
     *
     * @param scale how large the experiment was
     * @param seed what it was drawn from
     * @param command the command line that runs it again
     * @param machine what it ran on
     * @param seconds how long it took
     */
    public record Provenance(Scale scale, long seed, String command, String machine, double seconds) {}
}
