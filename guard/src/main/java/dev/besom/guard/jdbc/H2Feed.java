package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Changes that a trigger of H2 records in a table of their own, in the writer's own transaction.
 *
 * <pre>
 *   besom_feed_users   | the columns of the key | besom_id: 1, 2, 3, ... | besom_kind: 0 stored, 1 removed |
 *   besom_head_users   | head: the last number | life: a random text, as long as the feed is not made anew |
 * </pre>
 *
 * H2 does not tell which transactions a snapshot sees. So who records a change takes its number from the row of the head, which stays locked
 * until the commit: numbers become visible in their order, and have no gaps. That lets one transaction at a time change the
 * table, which is the price on this database. The triggers are programs in the statements that make them, which H2 compiles: it
 * has to run on a JDK. TRUNCATE fires no triggers there; it leaves slots of keys that are not stored.
 *
 * @param <K> the keys
 */
final class H2Feed<K> implements RecordedFeed<K> {

    private static final long KEPT_ROWS = 100_000;

    private static final int TRIGGERS = 2;

    private final DataSource source;
    private final TableSql table;
    private final JdbcTable<K, ?> form;
    private final String feed;
    private final String head;
    private final String plainName;

    H2Feed(DataSource source, TableSql table, JdbcTable<K, ?> form) {
        this.source = source;
        this.table = table;
        this.form = form;
        this.plainName = table.nameInSchema().replace(".", "__").replaceAll("[^A-Za-z0-9_]", "_");
        this.feed = table.besideTable("besom_feed_" + plainName);
        this.head = table.besideTable("besom_head_" + plainName);
    }

    private String keys() {
        return String.join(", ", table.keyColumns());
    }

    private List<String> keyNames() {
        return form.key().columns().stream()
                .map(column -> '"'
                        + SqlName.parse(column.name())
                                .text()
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                        + '"')
                .toList();
    }

    /** The triggers go with a table, and its feed does not. */
    @Override
    public boolean isThere() {
        return RecordedFeed.isThere(source, "SELECT life IS NOT NULL FROM " + head + " LEFT JOIN " + feed + " ON 1 = 0")
                && JdbcCall.on(source, this::areTriggersThere);
    }

    private boolean areTriggersThere(Connection connection) throws SQLException {
        return JdbcCall.query(
                                connection,
                                "SELECT COUNT(DISTINCT TRIGGER_NAME) FROM INFORMATION_SCHEMA.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ?"
                                        + " AND EVENT_OBJECT_TABLE = ? AND LOWER(TRIGGER_NAME) IN (?, ?)",
                                rows -> rows.getLong(1),
                                table.storedSchema(),
                                table.storedTable(connection),
                                ("besom_rehash_" + plainName).toLowerCase(Locale.ROOT),
                                ("besom_feed_" + plainName).toLowerCase(Locale.ROOT))
                        .get(0)
                == TRIGGERS;
    }

    @Override
    public List<String> statements() {
        return List.of(
                "DROP TRIGGER IF EXISTS " + table.besideTable("besom_rehash_" + plainName),
                "DROP TRIGGER IF EXISTS " + table.besideTable("besom_feed_" + plainName),
                "DROP TABLE IF EXISTS " + feed,
                "DROP TABLE IF EXISTS " + head,
                "CREATE TABLE " + feed + " AS SELECT " + keys() + " FROM " + table.table() + " WHERE FALSE",
                "ALTER TABLE " + feed + " ADD COLUMN besom_id BIGINT NOT NULL PRIMARY KEY",
                "ALTER TABLE " + feed + " ADD COLUMN besom_kind SMALLINT NOT NULL",
                "CREATE TABLE " + head + " AS SELECT CAST(0 AS BIGINT) AS head, CAST(RANDOM_UUID() AS VARCHAR) AS life",
                "CREATE TRIGGER " + table.besideTable("besom_rehash_" + plainName) + " BEFORE UPDATE ON "
                        + table.table()
                        + " FOR EACH ROW AS "
                        + program("if (!isSameKey(before, after)) { after.updateObject(\""
                                + SqlName.parse(form.hashColumn()).text() + "\", null); }"),
                "CREATE TRIGGER " + table.besideTable("besom_feed_" + plainName) + " AFTER INSERT, UPDATE, DELETE ON "
                        + table.table() + " FOR EACH ROW AS "
                        + program("if (isSameKey(before, after)) { return; }"
                                + " if (before != null) { write(connection, before, 1); }"
                                + " if (after != null) { write(connection, after, 0); }"));
    }

    /** A trigger that does something to the rows before and after a change. */
    private String program(String body) {
        String same = keyNames().stream()
                .map(name ->
                        "java.util.Objects.deepEquals(before.getObject(" + name + "), after.getObject(" + name + "))")
                .collect(Collectors.joining(" && "));
        String set = IntStream.range(0, keyNames().size())
                .mapToObj(i -> "insert.setObject(" + (i + 1) + ", row.getObject("
                        + keyNames().get(i) + "));")
                .collect(Collectors.joining(" "));
        String insert = "INSERT INTO " + feed + " (" + keys() + ", besom_id, besom_kind) SELECT "
                + "?, ".repeat(keyNames().size()) + "head, CAST(? AS SMALLINT) FROM " + head;
        return "$$org.h2.api.Trigger create() { return new org.h2.tools.TriggerAdapter() {"
                + " public void fire(java.sql.Connection connection, java.sql.ResultSet before, java.sql.ResultSet after)"
                + " throws java.sql.SQLException { " + body + " }"
                + " private boolean isSameKey(java.sql.ResultSet before, java.sql.ResultSet after)"
                + " throws java.sql.SQLException { return before != null && after != null && " + same + "; }"
                + " private void write(java.sql.Connection connection, java.sql.ResultSet row, int kind)"
                + " throws java.sql.SQLException {"
                + " try (java.sql.PreparedStatement next = connection.prepareStatement(\"UPDATE "
                + inJava(head)
                + " SET head = head + 1\"); java.sql.PreparedStatement insert = connection.prepareStatement(\""
                + inJava(insert) + "\")) { next.executeUpdate(); " + set + " insert.setInt("
                + (keyNames().size() + 1)
                + ", kind); insert.executeUpdate(); } } }; }$$";
    }

    private static String inJava(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    @Override
    public Follower<K> follow() {
        if (!isThere()) {
            throw RecordedFeed.missing(table);
        }
        return new NumberFollower(JdbcCall.on(source, this::readHead));
    }

    /** The last number, and the life of the feed that it is of. */
    private record Head(long number, String life) {}

    private Head readHead(Connection connection) throws SQLException {
        return JdbcCall.query(
                        connection,
                        "SELECT head, life FROM " + head,
                        rows -> new Head(rows.getLong(1), rows.getString(2)))
                .get(0);
    }

    /** Reads the rows after the last one. */
    private final class NumberFollower implements Follower<K> {

        private final String life;
        private long last;

        NumberFollower(Head start) {
            this.life = start.life();
            this.last = start.number();
        }

        @Override
        public Changes<K> poll() {
            List<K> stored = new ArrayList<>();
            List<K> removed = new ArrayList<>();
            long[] read = {last};
            boolean isWhole = JdbcCall.on(source, connection -> isRead(connection, stored, removed, read));
            last = read[0];
            return new Changes<>(stored, removed, isWhole, !isWhole);
        }

        private boolean isRead(Connection connection, List<K> stored, List<K> removed, long[] read)
                throws SQLException {
            Head now = readHead(connection);
            if (!now.life().equals(life) || now.number() < last || !areTriggersThere(connection)) {
                // The feed was made anew, a crash has taken back its end, or nobody writes it.
                return false;
            }
            int width = form.key().columns().size();
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + keys()
                    + ", besom_id, besom_kind FROM " + feed + " WHERE besom_id > ? ORDER BY besom_id")) {
                statement.setLong(1, last);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        if (rows.getLong(width + 1) != read[0] + 1) {
                            return false;
                        }
                        read[0]++;
                        K key = form.key().getter().get(rows, 1);
                        if (key != null) {
                            (rows.getInt(width + 2) == FeedSql.STORED ? stored : removed).add(key);
                        }
                    }
                }
            }
            return true;
        }

        @Override
        public void close() {}
    }

    @Override
    public void trim() {
        JdbcCall.on(
                source,
                connection -> JdbcCall.update(
                        connection,
                        "DELETE FROM " + feed + " WHERE besom_id <= (SELECT head FROM " + head + ") - " + KEPT_ROWS));
    }
}
