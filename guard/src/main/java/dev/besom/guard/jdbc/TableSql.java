package dev.besom.guard.jdbc;

import dev.besom.hash.KeyHasher;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The statements for a table in the dialect of its database. */
final class TableSql {

    private final JdbcTable<?, ?> table;
    private final JdbcDialect dialect;
    private final List<SqlName> names;
    private final String keys;
    private final String values;
    private final String whereKey;
    private final @Nullable String schema;
    private final String schemaName;
    private final String qualifiedTable;
    private final String tableInSchema;
    private final String nameInSchema;

    private TableSql(JdbcTable<?, ?> table, JdbcDialect dialect, Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        this.table = table;
        this.dialect = dialect;
        this.names = table.names();
        this.keys = list(table.key());
        this.values = list(table.value());
        this.whereKey = " WHERE " + equalToParameters(table.key());
        String givenName = names.stream().map(name -> name.in(dialect)).collect(Collectors.joining("."));
        this.schema = names.size() == 2
                ? dialect.storedName(metaData, names.get(0).text(), names.get(0).isQuoted())
                : dialect.schemaOf(connection, givenName);
        this.qualifiedTable = names.size() == 2 || schema == null || schema.equals(connection.getSchema())
                ? givenName
                : dialect.quoted(schema) + "." + givenName;
        this.schemaName = schema == null
                ? String.valueOf(connection.getCatalog()).toLowerCase(Locale.ROOT)
                : plainName(metaData, schema);
        this.tableInSchema = plainName(metaData, names.get(names.size() - 1));
        this.nameInSchema = nameInSchema(metaData);
    }

    /**
     * The statements for a table.
     *
     * @param dialect null for that of the database
     */
    static TableSql of(DataSource source, JdbcTable<?, ?> table, @Nullable JdbcDialect dialect) {
        try (Connection connection = source.getConnection()) {
            return new TableSql(table, dialect == null ? JdbcDialect.of(connection) : dialect, connection);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    JdbcDialect dialect() {
        return dialect;
    }

    private Stream<String> columns(JdbcColumns<?> columns) {
        return columns.columns().stream()
                .map(column -> SqlName.parse(column.name()).in(dialect));
    }

    private String list(JdbcColumns<?> columns) {
        return columns(columns).collect(Collectors.joining(", "));
    }

    private String equalToParameters(JdbcColumns<?> columns) {
        return columns(columns).map(column -> column + " = ?").collect(Collectors.joining(" AND "));
    }

    /** The table's name; with its schema also where it was given without and is not in that of the connection. */
    String table() {
        return qualifiedTable;
    }

    String hashColumn() {
        return SqlName.parse(table.hashColumn()).in(dialect);
    }

    /** The table of notes, in the same schema. */
    String notesTable() {
        return besideTable("besom_notes");
    }

    /**
     * A table of Besom's own in the same schema, which is named also where the table's name has none: another schema may have
     * Besom's tables too, and be searched before.
     */
    String besideTable(String name) {
        if (names.size() == 2) {
            return names.get(0).in(dialect) + "." + name;
        }
        return schema == null ? name : dialect.quoted(schema) + "." + name;
    }

    /** A number that stands for the table, for locks and channels of the database. */
    long number(String purpose) {
        return KeyHasher.utf8(0).hash(purpose + schemaName + "." + nameInSchema());
    }

    /** What all guards of the table know it by, whatever their columns of hashes. */
    String tableInSchema() {
        return tableInSchema;
    }

    /**
     * What notes, leases and logs know the table by: the same for all its names. A column of hashes that has another name than
     * usual is a part of it, as a table may have a guard for each.
     */
    String nameInSchema() {
        return nameInSchema;
    }

    private String nameInSchema(DatabaseMetaData metaData) throws SQLException {
        String column = plainName(metaData, SqlName.parse(table.hashColumn()));
        return column.equals(JdbcTable.HASH_COLUMN) ? tableInSchema : tableInSchema + "." + column;
    }

    private String plainName(DatabaseMetaData metaData, SqlName name) throws SQLException {
        return plainName(metaData, dialect.storedName(metaData, name.text(), name.isQuoted()));
    }

    /** A name in lower case; in quotes, if the database does not mean the same by that. */
    private String plainName(DatabaseMetaData metaData, String stored) throws SQLException {
        String plain = stored.toLowerCase(Locale.ROOT);
        return stored.equals(dialect.storedName(metaData, plain, false)) ? plain : '"' + stored + '"';
    }

    /** The schema that the table is in, as the database keeps its name; for databases that have schemas. */
    String storedSchema() {
        return Objects.requireNonNull(schema, "a schema");
    }

    /** The table without its schema, as the database keeps its name. */
    String storedTable(Connection connection) throws SQLException {
        SqlName name = names.get(names.size() - 1);
        return dialect.storedName(connection.getMetaData(), name.text(), name.isQuoted());
    }

    /** The columns of the key, as parts of statements. */
    List<String> keyColumns() {
        return columns(table.key()).toList();
    }

    String createTable() {
        String keyColumns = definitions(table.key(), true, "");
        String valueColumns =
                definitions(table.value(), false, table.value().columns().size() == 1 ? " NOT NULL" : "");
        return "CREATE TABLE " + table() + " (" + keyColumns + ", " + valueColumns + ", " + hashColumn() + " "
                + dialect.columnType("BIGINT", false) + ", PRIMARY KEY (" + keys + "))";
    }

    private String definitions(JdbcColumns<?> columns, boolean isKey, String suffix) {
        return columns.columns().stream()
                .map(column -> SqlName.parse(column.name()).in(dialect) + " "
                        + dialect.columnType(column.sqlType(), isKey) + suffix)
                .collect(Collectors.joining(", "));
    }

    String addHashColumn() {
        return "ALTER TABLE " + table() + " ADD COLUMN " + hashColumn() + " " + dialect.columnType("BIGINT", false);
    }

    String createIndex() {
        String plain = names.stream().map(SqlName::text).collect(Collectors.joining("_")) + "_"
                + SqlName.parse(table.hashColumn()).text();
        String name = plain.replaceAll("[^A-Za-z0-9_]", "_");
        return "CREATE INDEX " + name + " ON " + table() + " (" + hashColumn() + ")";
    }

    String createNotes() {
        String text = dialect.columnType("VARCHAR(200)", true);
        return "CREATE TABLE " + notesTable() + " (besom_table " + text + " NOT NULL, name " + text
                + " NOT NULL, contents VARCHAR(4000) NOT NULL, PRIMARY KEY (besom_table, name))";
    }

    /** A statement that fails if there is no such table or column, and otherwise reads nothing. */
    static String probe(String columns, String table) {
        return "SELECT " + columns + " FROM " + table + " WHERE 1 = 0";
    }

    String probeTable() {
        return probe(keys, table());
    }

    /** A row of keys that is not in the table, with the types and collations of the table's columns. */
    String selectProbe(String literals) {
        return "SELECT " + keys + " FROM (" + probeTable() + " UNION ALL SELECT " + literals + ") besom_probe";
    }

    /** The same row, if it has a key. The parameters are the key's. */
    String selectProbeOfKey(String literals) {
        return selectProbe(literals) + whereKey;
    }

    String probeHashColumn() {
        return probe(hashColumn(), table());
    }

    /** Whether the column of hashes is the first one of an index. */
    boolean isIndexed(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        boolean hasSchemas = metaData.supportsSchemasInTableDefinitions();
        SqlName name = names.get(names.size() - 1);
        String catalog = hasSchemas || names.size() == 1 ? connection.getCatalog() : schema;
        String stored = hasSchemas ? dialect.storedName(metaData, name.text(), name.isQuoted()) : name.text();
        try (ResultSet rows = metaData.getIndexInfo(catalog, hasSchemas ? schema : null, stored, false, true)) {
            while (rows.next()) {
                if (rows.getShort("ORDINAL_POSITION") == 1
                        && SqlName.parse(table.hashColumn()).text().equalsIgnoreCase(rows.getString("COLUMN_NAME"))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The parameters are the key's. */
    String select() {
        return table.statements().select().orElse("SELECT " + values + " FROM " + table() + whereKey);
    }

    /** The parameters are those of so many keys. Returns keys and values. */
    String selectAll(int count) {
        return selectRows() + whereAny(count);
    }

    /** The parameters are those of so many keys. Returns the keys of rows. */
    String selectKeys(int count) {
        return selectRowKeys() + whereAny(count);
    }

    /** The parameters are those of so many keys. Returns the keys and hashes of rows. */
    String selectHashes(int count) {
        return "SELECT " + keys + ", " + hashColumn() + " FROM " + table() + whereAny(count);
    }

    private String whereAny(int count) {
        return " WHERE "
                + (table.key().columns().size() == 1
                        ? keys + " IN (" + String.join(", ", Collections.nCopies(count, "?")) + ")"
                        : String.join(" OR ", Collections.nCopies(count, "(" + equalToParameters(table.key()) + ")")));
    }

    /** Keys and values of all rows. */
    String selectRows() {
        return "SELECT " + keys + ", " + values + " FROM " + table();
    }

    /** The keys of all rows. */
    String selectRowKeys() {
        return "SELECT " + keys + " FROM " + table();
    }

    /** The parameters are the key's. */
    String contains() {
        return table.statements().select().orElse("SELECT 1 FROM " + table() + whereKey);
    }

    /** The parameters are the key's and the hash. */
    String containsWithHash() {
        return "SELECT 1 FROM " + table() + whereKey + " AND " + hashColumn() + " = ?";
    }

    /** The parameters are the value's, the hash, and the key's. Also gives a row its hash that had none. */
    String update() {
        String assignments =
                columns(table.value()).map(column -> column + " = ?, ").collect(Collectors.joining());
        return table.statements()
                .update()
                .orElse("UPDATE " + table() + " SET " + assignments + hashColumn() + " = ?" + whereKey);
    }

    /** The parameters are the value's, the hash, the key's, and the hash again: rows without it are left alone. */
    String updateHashed() {
        return update() + " AND " + hashColumn() + " = ?";
    }

    /** The parameters are the value's, the hash, and the key's. */
    String insert() {
        int parameters = table.value().columns().size() + table.key().columns().size() + 1;
        return table.statements()
                .insert()
                .orElse("INSERT INTO " + table() + " (" + values + ", " + hashColumn() + ", " + keys + ") VALUES ("
                        + String.join(", ", Collections.nCopies(parameters, "?")) + ")");
    }

    /** The parameters are the key's. */
    String delete() {
        return table.statements().delete().orElse("DELETE FROM " + table() + whereKey);
    }

    /** The parameters are the hash and the key's. */
    String fill() {
        return "UPDATE " + table() + " SET " + hashColumn() + " = ?" + whereKey;
    }

    /** The parameters are the hash, the key's, and the hash again: rows that have it are left alone. */
    String fillUnlessThere() {
        return fill() + " AND (" + hashColumn() + " IS NULL OR " + hashColumn() + " <> ?)";
    }

    /**
     * Some keys with their hashes, in the order of hashes. A row without a key is not found by any. The parameter is where in
     * that order they begin.
     */
    String selectLowestHashes(int most) {
        String haveKey = columns(table.key())
                .map(column -> " AND " + column + " IS NOT NULL")
                .collect(Collectors.joining());
        return dialect.limited(
                "SELECT " + keys + ", " + hashColumn() + " FROM " + table() + " WHERE " + hashColumn() + " >= ?"
                        + haveKey + " ORDER BY " + hashColumn(),
                most);
    }

    /** Some keys of rows that have no hash. */
    String selectKeysWithoutHash(int most) {
        return dialect.limited("SELECT " + keys + " FROM " + table() + " WHERE " + hashColumn() + " IS NULL", most);
    }
}
