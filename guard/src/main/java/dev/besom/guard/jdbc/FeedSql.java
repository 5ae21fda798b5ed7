package dev.besom.guard.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements for the feed of a table of PostgreSQL.
 *
 * <pre>
 *   besom_feed_users | the columns of the key | besom_id | besom_xid: the transaction | besom_kind: 0 stored, 1 removed, 2 all removed |
 *   besom_life_users | besom_one: 1 | besom_life: a random number; not logged |
 * </pre>
 *
 * Triggers write it in the transaction of whoever changes the table: by INSERT, COPY, UPDATE of the key, DELETE, MERGE or
 * TRUNCATE. A row whose key is changed loses its hash, which is that of the old key; the trigger's name has it run after those that
 * may change the key themselves. Whoever may change the table needs no rights on the feed.
 *
 * <p>A crash takes back the end of the write-ahead log that was not on the disk yet, and with it the numbers of transactions that
 * readers may have seen end: other transactions get them. The promotion of a standby does the same. Both empty a table that is
 * not logged: so a life is a time in which no number is given twice.
 */
final class FeedSql {

    static final int STORED = 0;
    static final int REMOVED = 1;
    static final int EMPTIED = 2;

    private final TableSql table;
    private final List<String> keys;
    private final String schema;
    private final String plainName;

    FeedSql(TableSql table, List<String> keyColumns) {
        this.table = table;
        this.keys = keyColumns;
        this.schema = table.dialect().quoted(table.storedSchema());
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

    private String life() {
        return name("besom_life_");
    }

    /** The names of the triggers. Those before an update run in the order of their names. */
    private List<String> triggers() {
        String record = "besom_feed_" + plainName;
        return List.of(record, record + "_key", record + "_all", "~besom_rehash_" + plainName);
    }

    private String trigger(int number) {
        return table.dialect().quoted(triggers().get(number));
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

    /** Whether all triggers are there and fire in every session. */
    private String areTriggersThere() {
        return "(SELECT COUNT(*) = " + triggers().size() + " FROM pg_trigger WHERE tgrelid = '"
                + table.table().replace("'", "''") + "'::regclass AND tgenabled = 'A' AND tgname IN ("
                + triggers().stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")) + "))";
    }

    /** Fails if a table is not there; otherwise whether the triggers are. */
    String selectIsThere() {
        return "SELECT " + areTriggersThere() + " FROM (SELECT 1) one LEFT JOIN (" + TableSql.probe("besom_xid", feed())
                + ") f ON TRUE LEFT JOIN (" + TableSql.probe("besom_life", life()) + ") l ON TRUE";
    }

    /** What makes the feed and its triggers. */
    List<String> makings() {
        List<String> all = new ArrayList<>();
        triggers()
                .forEach(name ->
                        all.add("DROP TRIGGER IF EXISTS " + table.dialect().quoted(name) + " ON " + table.table()));
        all.add("DROP TABLE IF EXISTS " + feed() + ", " + life());
        all.addAll(makingsOfNew());
        return all;
    }

    private List<String> makingsOfNew() {
        String on = " ON " + table.table() + " ";
        return List.of(
                "CREATE UNLOGGED TABLE " + life() + " (besom_one SMALLINT PRIMARY KEY, besom_life BIGINT NOT NULL)",
                "CREATE TABLE " + feed() + " AS SELECT " + list("") + " FROM " + table.table() + " WHERE FALSE",
                "ALTER TABLE " + feed() + " ADD COLUMN besom_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                        + " ADD COLUMN besom_xid BIGINT NOT NULL, ADD COLUMN besom_kind SMALLINT NOT NULL",
                "CREATE INDEX ON " + feed() + " (besom_xid)",
                "CREATE OR REPLACE FUNCTION " + name("besom_feed_")
                        + "() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
                        + " SET search_path = pg_catalog AS $besom$ BEGIN"
                        + " IF TG_OP = 'TRUNCATE' THEN INSERT INTO " + feed()
                        + " (besom_xid, besom_kind) VALUES (pg_current_xact_id()::text::bigint, " + EMPTIED
                        + "); RETURN NULL; END IF;"
                        + " IF TG_OP <> 'INSERT' THEN " + insert(list("OLD."), REMOVED) + " END IF;"
                        + " IF TG_OP <> 'DELETE' THEN " + insert(list("NEW."), STORED) + " END IF;"
                        + " RETURN NULL; END $besom$",
                "CREATE OR REPLACE FUNCTION " + name("besom_rehash_") + "() RETURNS trigger LANGUAGE plpgsql"
                        + " SET search_path = pg_catalog AS $besom$ BEGIN NEW."
                        + table.hashColumn() + " := NULL; RETURN NEW; END $besom$",
                "CREATE TRIGGER " + trigger(0) + " AFTER INSERT OR DELETE" + on + "FOR EACH ROW EXECUTE FUNCTION "
                        + name("besom_feed_") + "()",
                "CREATE TRIGGER " + trigger(1) + " AFTER UPDATE" + on + "FOR EACH ROW WHEN (" + keyChanges()
                        + ") EXECUTE FUNCTION " + name("besom_feed_") + "()",
                "CREATE TRIGGER " + trigger(2) + " AFTER TRUNCATE" + on + "FOR EACH STATEMENT EXECUTE FUNCTION "
                        + name("besom_feed_") + "()",
                "CREATE TRIGGER " + trigger(3) + " BEFORE UPDATE" + on + "FOR EACH ROW WHEN (" + keyChanges()
                        + ") EXECUTE FUNCTION " + name("besom_rehash_") + "()",
                "ALTER TABLE " + table.table() + " "
                        + IntStream.range(0, triggers().size())
                                .mapToObj(i -> "ENABLE ALWAYS TRIGGER " + trigger(i))
                                .collect(Collectors.joining(", ")));
    }

    String selectSnapshot() {
        return "SELECT pg_current_snapshot()::text";
    }

    /** The parameter is a random number: begins a life, unless there is one. */
    String beginLife() {
        return "INSERT INTO " + life() + " (besom_one, besom_life) VALUES (1, ?) ON CONFLICT DO NOTHING";
    }

    private String selectLife() {
        return "(SELECT besom_life FROM " + life() + ")";
    }

    /** Returns a snapshot and the life that it is of. */
    String selectStart() {
        return selectSnapshot() + ", " + selectLife();
    }

    /**
     * The parameters are the last snapshot, twice. Returns keys, this snapshot, the kind, the life, and whether the triggers are
     * there; one row at least.
     */
    String read() {
        return "SELECT " + list("f.") + ", pg_current_snapshot()::text, f.besom_kind, " + selectLife() + ", "
                + areTriggersThere() + " FROM (SELECT 1) one LEFT JOIN " + feed()
                + " f ON f.besom_xid >= pg_snapshot_xmin(?::pg_snapshot)::text::bigint"
                + " AND NOT pg_visible_in_snapshot(f.besom_xid::text::xid8, ?::pg_snapshot) ORDER BY f.besom_id";
    }

    /** The parameter is a snapshot that saw what is deleted. */
    String trim() {
        return "DELETE FROM " + feed() + " WHERE pg_visible_in_snapshot(besom_xid::text::xid8, ?::pg_snapshot)";
    }
}
