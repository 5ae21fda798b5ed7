package dev.besom.lab.experiment;

/** What can be done with a filter while its memory is watched. */
enum Operation {
    MISS("query, not stored"),
    HIT("query, stored"),
    INSERT("insert"),
    DELETE("delete"),
    REPAIR("repair");

    final String label;

    Operation(String label) {
        this.label = label;
    }
}
