package dev.besom.lab.advice;

/** Who changes the dictionary behind a filter, which decides how fresh a "no" can be. */
public enum Writers {
    /** One process, through one guard. */
    SOLE("all changes go through one guard; a lease refuses a second one"),
    /** Several processes, each with a guard, that announce new keys to each other before they store them. */
    FLEET(
            "several guards announce each new key to all others before it is stored, so that none is ever hidden: docs/guard.md"),
    /** Other code too, which no guard sees but by a feed of changes. */
    FEED(
            "other code stores keys too: a \"no\" is as old as the feed of changes at most, and \"maybe\" where that cannot be"
                    + " proved: docs/guard.md");

    private final String words;

    Writers(String words) {
        this.words = words;
    }

    /** What that means for a guard. */
    public String words() {
        return words;
    }
}
