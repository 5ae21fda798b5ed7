package dev.besom.guard.jdbc;

import dev.besom.guard.store.ChangeFeed;
import java.util.List;

/** A feed that triggers of a database write. */
interface RecordedFeed<K> extends ChangeFeed<K> {

    /** The statements that make it. */
    List<String> statements();

    /** A query that fails if it is not there. */
    String probe();

    static IllegalStateException missing(TableSql table) {
        return new IllegalStateException("nobody records the changes of " + table.table()
                + ": have the statements of feedStatements() run, or call createFeed()");
    }
}
