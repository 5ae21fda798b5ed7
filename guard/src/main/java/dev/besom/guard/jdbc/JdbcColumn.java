package dev.besom.guard.jdbc;

/**
 * A column of a {@link JdbcTable}.
 *
 * @param name a plain name, or one in double quotes, as for the table
 * @param sqlType its type in a table that Besom makes, in the words of {@link JdbcType#sqlName()}
 */
public record JdbcColumn(String name, String sqlType) {

    /** Checks the name. */
    public JdbcColumn {
        SqlName.parse(name);
    }
}
