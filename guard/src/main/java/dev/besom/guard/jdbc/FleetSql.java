package dev.besom.guard.jdbc;

import java.util.List;

/**
 * The statements for the tables of a fleet, which all fleets of a schema share.
 *
 * <pre>
 *   besom_fleet     | table | fleet: a random number | head: the number of the last entry |
 *   besom_log       | table | seq | hash | gone: 0 announced, 1 one copy gone |
 *   besom_pending   | table | seq | hash | member: who announced it |
 *   besom_members   | table | member | beat | acked |
 * </pre>
 *
 * Hashes have their highest bit flipped, as in the table itself. Who appends changes the row of {@code besom_fleet} first, which
 * locks it until the commit: so entries become visible in the order of their numbers.
 */
final class FleetSql {

    final String fleet;
    final String log;
    final String pending;
    final String members;
    private final TableSql table;
    private final boolean isPostgres;

    FleetSql(TableSql table) {
        this.table = table;
        this.isPostgres = table.dialect() instanceof PostgresDialect;
        this.fleet = table.besideTable("besom_fleet");
        this.log = table.besideTable("besom_log");
        this.pending = table.besideTable("besom_pending");
        this.members = table.besideTable("besom_members");
    }

    private String name() {
        return "besom_table " + table.dialect().columnType("VARCHAR(200)", true) + " NOT NULL";
    }

    private static String number(String column) {
        return column + " BIGINT NOT NULL";
    }

    /** A table to look for, and the statements that make it. */
    record Making(String probe, List<String> statements) {}

    List<Making> makings() {
        return List.of(
                new Making(
                        TableSql.probe("head", fleet),
                        List.of("CREATE TABLE " + fleet + " (" + name() + ", " + number("fleet") + ", " + number("head")
                                + ", PRIMARY KEY (besom_table))")),
                new Making(
                        TableSql.probe("seq", log),
                        List.of("CREATE TABLE " + log + " (" + name() + ", " + number("seq") + ", " + number("hash")
                                + ", gone SMALLINT NOT NULL, PRIMARY KEY (besom_table, seq))")),
                new Making(
                        TableSql.probe("member", pending),
                        List.of(
                                "CREATE TABLE " + pending + " (" + name() + ", " + number("seq") + ", " + number("hash")
                                        + ", " + number("member") + ", PRIMARY KEY (besom_table, seq))",
                                "CREATE INDEX besom_pending_hash ON " + pending + " (besom_table, hash)")),
                new Making(
                        TableSql.probe("beat", members),
                        List.of("CREATE TABLE " + members + " (" + name() + ", " + number("member") + ", "
                                + number("beat") + ", " + number("acked") + ", PRIMARY KEY (besom_table, member))")));
    }

    /** The parameter is the table. */
    String selectFleet() {
        return "SELECT fleet, head FROM " + fleet + " WHERE besom_table = ?";
    }

    String insertFleet() {
        return "INSERT INTO " + fleet + " (besom_table, fleet, head) VALUES (?, ?, 0)";
    }

    /** The parameters are how many, and the table. */
    String advanceHead() {
        return "UPDATE " + fleet + " SET head = head + ? WHERE besom_table = ?";
    }

    String insertEntry() {
        return "INSERT INTO " + log + " (besom_table, seq, hash, gone) VALUES (?, ?, ?, ?)";
    }

    String insertPending() {
        return "INSERT INTO " + pending + " (besom_table, seq, hash, member) VALUES (?, ?, ?, ?)";
    }

    /**
     * All of an append in one statement, so that no client holds the lock while it is paused. It lasts when it is seen, whatever
     * the server's setting: numbers that a crash took back would be given twice, and a removal that it took back would bring
     * back a key that members have been told is gone. The parameters are how many, the table, how many, the arrays of hashes and kinds, the table, the table, the member, and the channel.
     */
    String append() {
        return "WITH moved AS (" + advanceHead() + " RETURNING head),"
                + " entries AS (SELECT moved.head - ? + e.place AS seq, e.hash, e.gone"
                + " FROM moved, unnest(?::bigint[], ?::smallint[]) WITH ORDINALITY AS e(hash, gone, place)),"
                + " logged AS (INSERT INTO " + log
                + " (besom_table, seq, hash, gone) SELECT ?, seq, hash, gone FROM entries),"
                + " waiting AS (INSERT INTO " + pending
                + " (besom_table, seq, hash, member) SELECT ?, seq, hash, ? FROM entries WHERE gone = 0)"
                + " SELECT head, pg_notify(?, 'log')::text, set_config('synchronous_commit', 'on', true) FROM moved";
    }

    /** The parameters are the table and the announcement. */
    String deletePending() {
        return "DELETE FROM " + pending + " WHERE besom_table = ? AND seq = ?";
    }

    /**
     * The parameters are the table, the announcement and its hash: after a failover that has lost the announcement, another one
     * may have its number.
     */
    String confirmPending() {
        return deletePending() + " AND hash = ?";
    }

    /** The parameter is the table. */
    String selectAbandoned() {
        return "SELECT p.seq, p.hash FROM " + pending + " p WHERE p.besom_table = ? AND NOT EXISTS (SELECT 1 FROM "
                + members + " m WHERE m.besom_table = p.besom_table AND m.member = p.member)";
    }

    /** The parameters are the table, an entry and how many entries. */
    String readLog() {
        return "SELECT seq, hash, gone FROM " + log + " WHERE besom_table = ? AND seq > ? ORDER BY seq LIMIT ?";
    }

    /** The parameters are the table, how many are kept, the table, and the table. */
    String trim() {
        return "DELETE FROM " + log + " WHERE besom_table = ? AND seq <= (SELECT head - ? FROM " + fleet
                + " WHERE besom_table = ?) AND seq <= (SELECT MIN(acked) FROM " + members + " WHERE besom_table = ?)";
    }

    /** The parameters are the table, the member, the beat and the entry. */
    String insertMember() {
        return "INSERT INTO " + members + " (besom_table, member, beat, acked) VALUES (?, ?, ?, ?)";
    }

    /** The parameters are the table and the member. */
    String deleteMember() {
        return "DELETE FROM " + members + " WHERE besom_table = ? AND member = ?";
    }

    /** The parameters are the beat, the entry, the table and the member. */
    String renew() {
        return "UPDATE " + members + " SET beat = ?, acked = ? WHERE besom_table = ? AND member = ?";
    }

    /** The parameters are the entry, the table, the member, and on PostgreSQL the channel. */
    String acknowledge() {
        String update = "UPDATE " + members + " SET acked = ? WHERE besom_table = ? AND member = ?";
        return isPostgres
                ? "WITH told AS (" + update + " RETURNING 1) SELECT COUNT(*), pg_notify(?, 'ack')::text FROM told"
                : update;
    }

    /** The parameter is the table. */
    String selectMembers() {
        return "SELECT member, beat, acked FROM " + members + " WHERE besom_table = ?";
    }

    /** The parameters are those of a range, the table, those of the range again, and an entry. */
    String selectHashes() {
        String column = table.hashColumn();
        return "SELECT h FROM (SELECT " + column + " AS h FROM " + table.table() + " WHERE " + column
                + " BETWEEN ? AND ? UNION ALL SELECT hash AS h FROM " + pending
                + " WHERE besom_table = ? AND hash BETWEEN ? AND ? AND seq <= ?) known ORDER BY h";
    }
}
