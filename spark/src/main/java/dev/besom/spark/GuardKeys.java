package dev.besom.spark;

import dev.besom.guard.local.LocalKeys;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StringType;

/**
 * Primes a guard from a table: gives the keys that a store has already to the folder of a guard before a loader.
 *
 * <pre>{@code
 *   try (LocalKeys<Long> keys = LocalKeys.open(folder, KeyHasher.longs())) {
 *       GuardKeys.addAll(table.select("id").as(Encoders.LONG()), keys);
 *       Guard<Long, User> guard = Guard.over(users, keys);
 *       ...
 *   }
 * }</pre>
 *
 * The keys come to the driver, one partition of the table at a time, and are hashed there: a guard's hasher is a secret one
 * unless it was given a seed, and secrets stay where they are.
 */
public final class GuardKeys {

    private GuardKeys() {}

    /**
     * Adds the different keys of a table. Texts under a collation and fractions can be equal for Spark and yet be different
     * keys, so those are added row by row.
     *
     * @param keys a folder into which none of them was put yet
     * @return how many there were; nulls are left out
     */
    public static <K> long addAll(Dataset<K> table, LocalKeys<K> keys) {
        Dataset<K> known = withoutNulls(table);
        boolean isBlurred = table.schema().existsRecursively(GuardKeys::isBlurred);
        Iterator<K> rows = (isBlurred ? known : known.distinct()).toLocalIterator();
        long before = keys.count();
        keys.addAll(() -> rows);
        return keys.count() - before;
    }

    /** Whether values of a type can be equal without being the same. */
    private static boolean isBlurred(DataType type) {
        return type instanceof FloatType
                || type instanceof DoubleType
                || (type instanceof StringType && !type.equals(DataTypes.StringType));
    }

    /** A key of several columns is an object, whatever is null in it. No code is sent, so that Spark Connect can do it. */
    private static <K> Dataset<K> withoutNulls(Dataset<K> table) {
        String[] columns = table.columns();
        return columns.length == 1
                ? table.where(
                        table.col("`" + columns[0].replace("`", "``") + "`").isNotNull())
                : table;
    }
}
