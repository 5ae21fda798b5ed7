package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements for the feed of a table of PostgreSQL.
 *
 * <pre>
 *   besom_feed_users | the columns of the key | besom_id | besom_xid: the transaction | besom_kind: 0 stored, 1 removed, 2 all removed |
 * </pre>
 *
 * Triggers write it in the transaction of whoever changes the table: by INSERT, COPY, UPDATE of the key, DELETE, MERGE or
 * TRUNCATE. A row whose key is changed loses its hash, which is that of the old key. Whoever may change the table needs no
 * rights on the feed.
 */
final class FeedSql {

    static final int STORED = 0;
    static final int REMOVED = 1;
    static final int EMPTIED = 2;

    private final TableSql table;
    private final List<String> keys;
    private final String schema;
    private final String plainName;

    FeedSql(TableSql table, List<String> keyColumns, Connection connection) throws SQLException {
        this.table = table;
        this.keys = keyColumns;
        this.schema = table.dialect().quoted(table.storedSchema(connection));
        this.plainName =
                table.nameInSchema().replace("\"", "").replace(".", "__").replaceAll("[^A-Za-z0-9_]", "_");
    }

    TableSql table() {
        return table;
    }

    private String name(String prefix) {
        return schema + "." + prefix + plainName;
    }

    private String feed() {
        return name("besom_feed_");
    }

    private String list(String prefix) {
        return keys.stream().map(column -> prefix + column).collect(Collectors.joining(", "));
    }

    private String keyChanges() {
        return "ROW(" + list("OLD.") + ") IS DISTINCT FROM ROW(" + list("NEW.") + ")";
    }

    private String insert(String values, int kind) {
        return "INSERT INTO " + feed() + " (" + list("") + ", besom_xid, besom_kind) VALUES (" + values
                + ", pg_current_xact_id()::text::bigint, " + kind + ");";
    }

    String probe() {
        return TableSql.probe("besom_xid", feed());
    }

    /** What makes the feed and its triggers. */
    List<String> makings() {
        String on = " ON " + table.table() + " ";
        String record = "besom_feed_" + plainName;
        String rehash = "besom_rehash_" + plainName;
        return List.of(
                "CREATE TABLE " + feed() + " AS SELECT " + list("") + " FROM " + table.table() + " WHERE FALSE",
                "ALTER TABLE " + feed() + " ADD COLUMN besom_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                        + " ADD COLUMN besom_xid BIGINT NOT NULL, ADD COLUMN besom_kind SMALLINT NOT NULL",
                "CREATE INDEX ON " + feed() + " (besom_xid)",
                "CREATE FUNCTION " + name("besom_feed_") + "() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
                        + " SET search_path = pg_catalog AS $besom$ BEGIN"
                        + " IF TG_OP = 'TRUNCATE' THEN INSERT INTO " + feed()
                        + " (besom_xid, besom_kind) VALUES (pg_current_xact_id()::text::bigint, " + EMPTIED
                        + "); RETURN NULL; END IF;"
                        + " IF TG_OP <> 'INSERT' THEN " + insert(list("OLD."), REMOVED) + " END IF;"
                        + " IF TG_OP <> 'DELETE' THEN " + insert(list("NEW."), STORED) + " END IF;"
                        + " RETURN NULL; END $besom$",
                "CREATE FUNCTION " + name("besom_rehash_") + "() RETURNS trigger LANGUAGE plpgsql"
                        + " SET search_path = pg_catalog AS $besom$ BEGIN NEW."
                        + table.hashColumn() + " := NULL; RETURN NEW; END $besom$",
                "CREATE TRIGGER " + record + " AFTER INSERT OR DELETE" + on + "FOR EACH ROW EXECUTE FUNCTION "
                        + name("besom_feed_") + "()",
                "CREATE TRIGGER " + record + "_key AFTER UPDATE" + on + "FOR EACH ROW WHEN (" + keyChanges()
                        + ") EXECUTE FUNCTION " + name("besom_feed_") + "()",
                "CREATE TRIGGER " + record + "_all AFTER TRUNCATE" + on + "FOR EACH STATEMENT EXECUTE FUNCTION "
                        + name("besom_feed_") + "()",
                "CREATE TRIGGER " + rehash + " BEFORE UPDATE" + on + "FOR EACH ROW WHEN (" + keyChanges()
                        + ") EXECUTE FUNCTION " + name("besom_rehash_") + "()",
                "ALTER TABLE " + table.table() + " ENABLE ALWAYS TRIGGER " + record + ", ENABLE ALWAYS TRIGGER "
                        + record + "_key, ENABLE ALWAYS TRIGGER " + record + "_all, ENABLE ALWAYS TRIGGER " + rehash);
    }

    String selectSnapshot() {
        return "SELECT pg_current_snapshot()::text";
    }

    /** The parameters are the last snapshot, twice. Returns keys, this snapshot and the kind; one row at least. */
    String read() {
        return "SELECT " + list("f.") + ", pg_current_snapshot()::text, f.besom_kind FROM (SELECT 1) one LEFT JOIN "
                + feed() + " f ON f.besom_xid >= pg_snapshot_xmin(?::pg_snapshot)::text::bigint"
                + " AND NOT pg_visible_in_snapshot(f.besom_xid::text::xid8, ?::pg_snapshot) ORDER BY f.besom_id";
    }

    /** The parameter is a snapshot that saw what is deleted. */
    String trim() {
        return "DELETE FROM " + feed() + " WHERE pg_visible_in_snapshot(besom_xid::text::xid8, ?::pg_snapshot)";
    }
}
