package dev.besom.rocksdb;

import java.nio.charset.StandardCharsets;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;

/**
 * The column families of one store.
 *
 * @param notes the notes by name, and how many keys there are
 * @param values the keys with their values
 * @param evenHashes the hashes under hash function 0, 2, 4, ...
 * @param oddHashes those under hash function 1, 3, 5, ...
 */
record RocksFamilies(
        ColumnFamilyHandle notes,
        ColumnFamilyHandle values,
        ColumnFamilyHandle evenHashes,
        ColumnFamilyHandle oddHashes) {

    /** The names of the families. */
    record Names(String notes, String values, String evenHashes, String oddHashes) {

        /** Those of a folder of Besom's own. */
        static Names own() {
            return new Names(
                    new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8),
                    "besom.values",
                    "besom.hashes",
                    "besom.hashes.1");
        }

        /** Those beside a family of values that is somebody else's. */
        static Names beside(String values) {
            return new Names("besom.notes:" + values, values, "besom.hashes:" + values, "besom.hashes.1:" + values);
        }
    }
}
