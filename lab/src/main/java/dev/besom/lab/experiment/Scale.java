package dev.besom.lab.experiment;

import java.util.Locale;

/** How large an experiment is. */
public enum Scale {
    /** All experiments together in minutes on two cores. */
    QUICK,
    /** As the paper did it. */
    FULL;

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
