package dev.besom.guard.jdbc;

import dev.besom.guard.store.Notes;
import dev.besom.guard.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Notes in the table {@code besom_notes}, which all stores of a schema share and which is in that schema. */
final class JdbcNotes implements Notes {

    private static final HexFormat HEX = HexFormat.of();

    private final DataSource source;
    private final TableSql sql;
    private final String notesTable;
    private final String table;
    private final JdbcDialect dialect;

    /** Whether there may be a fleet of the table: a store that has seen none is not asked again. */
    private volatile boolean mayHaveFleet = true;

    JdbcNotes(DataSource source, TableSql table) {
        this(source, table, table.nameInSchema());
    }

    /** Notes that all guards of a table share. */
    static JdbcNotes ofTable(DataSource source, TableSql table) {
        return new JdbcNotes(source, table, table.tableInSchema());
    }

    private JdbcNotes(DataSource source, TableSql table, String name) {
        this.source = source;
        this.sql = table;
        this.notesTable = table.notesTable();
        this.table = name;
        this.dialect = table.dialect();
    }

    @Override
    public byte @Nullable [] read(String name) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT contents FROM " + notesTable + " WHERE besom_table = ? AND name = ?")) {
            statement.setString(1, table);
            statement.setString(2, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? HEX.parseHex(rows.getString(1)) : null;
            }
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    @Override
    public void write(String name, byte[] contents) {
        String text = HEX.formatHex(contents);
        // Where another process inserts between the two statements, its row is there to be updated.
        while (change(
                        "UPDATE " + notesTable + " SET contents = ? WHERE besom_table = ? AND name = ?",
                        text,
                        table,
                        name)
                == 0) {
            if (isInserted(name, text)) {
                return;
            }
        }
    }

    @Override
    public byte[] writeIfAbsent(String name, byte[] contents) {
        byte[] there = read(name);
        while (there == null) {
            there = isInserted(name, HEX.formatHex(contents)) ? contents : read(name);
        }
        return there;
    }

    /** Inserts a row; false, and no change, if there is one already, which the primary key sees to. */
    private boolean isInserted(String name, String text) {
        try {
            change("INSERT INTO " + notesTable + " (contents, besom_table, name) VALUES (?, ?, ?)", text, table, name);
            return true;
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && dialect.isViolation(cause)) {
                return false;
            }
            throw e;
        }
    }

    /** {@inheritDoc} Those of members of a fleet have the place in its log instead of a note, and find a gap there. */
    @Override
    public void forgetSnapshot() {
        remove(SNAPSHOT);
        if (mayHaveFleet) {
            mayHaveFleet = JdbcMeeting.isGapLeft(source, sql);
        }
    }

    @Override
    public void remove(String name) {
        change("DELETE FROM " + notesTable + " WHERE besom_table = ? AND name = ?", table, name);
    }

    private int change(String sql, String... parameters) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }
}
