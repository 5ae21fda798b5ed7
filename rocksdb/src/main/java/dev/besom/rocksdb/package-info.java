/** A store on RocksDB, with its hashes beside it in the same store. */
@NullMarked
package dev.besom.rocksdb;

import org.jspecify.annotations.NullMarked;
