package dev.besom.guard.jdbc;

import dev.besom.guard.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Makes what a store needs and is not there. Where everything is there, nothing is changed. */
final class JdbcSchema {

    private final DataSource source;
    private final TableSql sql;

    JdbcSchema(DataSource source, TableSql sql) {
        this.source = source;
        this.sql = sql;
    }

    void makeTable() {
        makeUnlessThere(sql.probeTable(), sql.createTable());
    }

    void makeRest() {
        makeUnlessThere(sql.probeHashColumn(), sql.addHashColumn());
        if (!isIndexed()) {
            try {
                execute(sql.createIndex());
            } catch (StoreException e) {
                if (!isIndexed()) {
                    throw e;
                }
            }
        }
        makeUnlessThere(TableSql.probe("contents", sql.notesTable()), sql.createNotes());
    }

    /** Makes something unless it is there, or somebody else makes it at the same time. */
    private void makeUnlessThere(String probe, String statement) {
        makeUnlessThere(probe, List.of(statement));
    }

    /** Makes something by several statements unless it is there, or somebody else makes it at the same time. */
    void makeUnlessThere(String probe, List<String> statements) {
        if (isThere(probe)) {
            return;
        }
        try {
            statements.forEach(this::execute);
        } catch (StoreException e) {
            if (!isThere(probe)) {
                throw e;
            }
        }
    }

    boolean isThere(String probe) {
        try {
            execute(probe);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private boolean isIndexed() {
        try (Connection connection = source.getConnection()) {
            return sql.isIndexed(connection);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    private void execute(String statementSql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(statementSql);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }
}
