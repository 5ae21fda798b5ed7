/** Workloads, races and the papers' experiments. */
module dev.besom.lab {
    requires static transitive org.jspecify;
    requires transitive dev.besom.core;

    exports dev.besom.lab;
}
