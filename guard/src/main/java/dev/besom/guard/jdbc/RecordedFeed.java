package dev.besom.guard.jdbc;

import dev.besom.guard.store.ChangeFeed;
import dev.besom.guard.store.StoreException;
import java.util.List;
import javax.sql.DataSource;

/** A feed that triggers of a database write. */
interface RecordedFeed<K> extends ChangeFeed<K> {

    /** The statements that make it; what is left of an earlier one goes. */
    List<String> statements();

    /** Whether it is there, and whatever writes it is at work: a table that was made anew has no triggers. */
    boolean isThere();

    /** What a query says that fails if there is no such table. */
    static boolean isThere(DataSource source, String query) {
        try {
            return JdbcCall.on(source, connection -> JdbcCall.query(connection, query, rows -> rows.getBoolean(1)))
                    .get(0);
        } catch (StoreException e) {
            if (JdbcStore.isOfNoTable(e)) {
                return false;
            }
            throw e;
        }
    }

    static IllegalStateException missing(TableSql table) {
        return new IllegalStateException("nobody records the changes of " + table.table()
                + ": have the statements of feedStatements() run, or call createFeed()");
    }
}
