package dev.besom.lab.advice;

import java.util.List;
import java.util.Optional;

/**
 * What to use and why.
 *
 * @param wishes what was asked
 * @param chosen the kind to use, with its size
 * @param why in one sentence
 * @param runnerUp the next best, if any other kind does what is wanted
 * @param whyNotRunnerUp in one sentence; empty if there is no runner-up
 * @param others all other kinds with why not
 * @param code how to make and ask it, ready to paste: imports, an empty line, statements
 */
public record Advice(
        Wishes wishes,
        Candidate chosen,
        String why,
        Optional<Candidate> runnerUp,
        String whyNotRunnerUp,
        List<Verdict> others,
        String code) {

    private static final long MOST_RACED_KEYS = 10_000_000;

    public Advice {
        others = List.copyOf(others);
    }

    /** Remote reads if every query went to the dictionary. */
    public double readsWithoutFilter() {
        return wishes.traffic().queries();
    }

    /** Remote reads with the chosen filter: hits, and misses that it takes for hits. */
    public double readsWithFilter() {
        Traffic traffic = wishes.traffic();
        return traffic.queries() - traffic.misses() + chosen.wastedReads();
    }

    /** How many different keys that are not stored are asked for, for each stored key. */
    public double uniqueMissesPerKey() {
        return wishes.traffic().distinctMisses() / chosen.n();
    }

    /** The command that compares the speed of the chosen kind and the runner-up on this machine. */
    public String raceCommand() {
        return "./besom race --kinds " + chosen.kind().name()
                + runnerUp.map(second -> "," + second.kind().name()).orElse("") + " --n "
                + Math.min(chosen.n(), MOST_RACED_KEYS) + " --fpp " + chosen.plannedFpp();
    }

    public double savedReads() {
        return readsWithoutFilter() - readsWithFilter();
    }
}
