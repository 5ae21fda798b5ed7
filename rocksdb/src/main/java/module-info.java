/** Stores on RocksDB. */
module dev.besom.rocksdb {
    requires static transitive org.jspecify;
    requires transitive dev.besom.guard;
    requires rocksdbjni;

    exports dev.besom.rocksdb;
}
