package dev.besom.lab.advice;

import java.util.List;
import java.util.Optional;

/**
 * What to use and why.
 *
 * @param wishes what was asked
 * @param first the kind to use, and why
 * @param second the next best and why it is not the first, if any other kind does what is wanted
 * @param others all other kinds with why not
 * @param code how to make and ask it, ready to paste: imports, an empty line, statements
 */
public record Advice(Wishes wishes, Place first, Optional<Place> second, List<Verdict> others, String code) {

    /**
     * A kind with its size, and why it has its place among the others.
     *
     * @param why in one sentence
     */
    public record Place(Candidate candidate, String why) {}

    private static final long MOST_RACED_KEYS = 10_000_000;

    public Advice {
        others = List.copyOf(others);
    }

    /** The kind to use, with its size. */
    public Candidate chosen() {
        return first.candidate;
    }

    /** Why it is chosen, in one sentence. */
    public String why() {
        return first.why;
    }

    /** The next best, if any other kind does what is wanted. */
    public Optional<Candidate> runnerUp() {
        return second.map(Place::candidate);
    }

    /** In one sentence; empty if there is no runner-up. */
    public String whyNotRunnerUp() {
        return second.map(Place::why).orElse("");
    }

    /** Remote reads if every query went to the dictionary. */
    public double readsWithoutFilter() {
        return wishes.traffic().queries();
    }

    /** Remote reads with the chosen filter: hits, and misses that it takes for hits. */
    public double readsWithFilter() {
        Traffic traffic = wishes.traffic();
        return traffic.queries() - traffic.misses() + chosen().wastedReads();
    }

    /** How many different keys that are not stored are asked for, for each stored key. */
    public double uniqueMissesPerKey() {
        return wishes.traffic().distinctMisses() / chosen().n();
    }

    /** The command that compares the speed of the chosen kind and the runner-up on this machine. */
    public String raceCommand() {
        return "./besom race --kinds " + chosen().kind().name()
                + runnerUp().map(second -> "," + second.kind().name()).orElse("") + " --n "
                + Math.min(chosen().n(), MOST_RACED_KEYS) + " --fpp " + chosen().plannedFpp();
    }

    public double savedReads() {
        return readsWithoutFilter() - readsWithFilter();
    }
}
