/** A guard's statistics for Micrometer. */
module dev.besom.micrometer {
    requires static transitive org.jspecify;
    requires transitive dev.besom.guard;
    requires transitive micrometer.core;

    exports dev.besom.micrometer;
}
