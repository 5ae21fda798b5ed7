/** Filters in front of dictionaries: lookups that do not reach the store when they need not. */
module dev.besom.guard {
    requires static transitive org.jspecify;
    requires transitive dev.besom.core;
    requires transitive java.sql;

    exports dev.besom.guard;
}
