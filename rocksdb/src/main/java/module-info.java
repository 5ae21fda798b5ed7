/** Stores on RocksDB. */
module dev.besom.rocksdb {
    requires static transitive org.jspecify;
    requires transitive dev.besom.guard;
    requires transitive rocksdbjni;

    exports dev.besom.rocksdb;
}
