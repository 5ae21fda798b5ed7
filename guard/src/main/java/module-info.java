/** Filters in front of stores: lookups that do not reach the store when they need not. */
module dev.besom.guard {
    requires static transitive org.jspecify;
    requires transitive dev.besom.core;
    requires transitive java.sql;

    exports dev.besom.guard;
    exports dev.besom.guard.jdbc;
    exports dev.besom.guard.local;
    exports dev.besom.guard.store;

    // For Besom's own stores.
    exports dev.besom.guard.notes to
            dev.besom.rocksdb;
}
