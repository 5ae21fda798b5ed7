package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What databases say of themselves, and what is said to them. */
class JdbcDialectTest {

    private static JdbcDialect dialectOf(String product, String version) throws SQLException {
        DatabaseMetaData metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                JdbcDialectTest.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> method.getName().equals("getDatabaseProductName") ? product : version);
        return JdbcDialect.of((Connection) Proxy.newProxyInstance(
                JdbcDialectTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> metaData));
    }

    @Test
    void theDialectIsThatOfTheServerWhateverItsDriver() throws SQLException {
        assertThat(dialectOf("MySQL", "8.4.2").columnType("VARCHAR", true))
                .isEqualTo("VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin");
        for (JdbcDialect maria :
                List.of(dialectOf("MariaDB", "10.11.5-MariaDB"), dialectOf("MySQL", "5.5.5-10.11.5-MariaDB"))) {
            assertThat(maria.columnType("VARCHAR(200)", true))
                    .isEqualTo("VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin");
            assertThat(maria.columnType("BYTEA", false)).isEqualTo("LONGBLOB");
            assertThat(maria.quoted("a`b")).isEqualTo("`a``b`");
        }
        assertThat(dialectOf("PostgreSQL", "14").sessionLock()).isPresent();
        assertThat(dialectOf("SQLite", "3").columnType("BYTEA", true)).isEqualTo("BLOB NOT NULL");
        JdbcDialect unknown = dialectOf("Some database", "1");
        assertThat(unknown.quoted("a\"b")).isEqualTo("\"a\"\"b\"");
        assertThat(unknown.sessionLock()).isEmpty();
        assertThat(unknown.locksRows()).isTrue();
    }

    @Test
    void statesOfSqlSayWhatHasHappened() throws SQLException {
        JdbcDialect plain = dialectOf("Some database", "1");
        assertThat(plain.isViolation(new SQLException("", "23505"))).isTrue();
        assertThat(plain.isRefusal(new SQLException("", "22001"))).isTrue();
        assertThat(plain.isRefusal(new SQLException("", "54000"))).isTrue();
        assertThat(plain.isRefusal(new SQLException("", "08006"))).isFalse();
        assertThat(plain.isRefusal(new SQLException("no state"))).isFalse();
        assertThat(plain.isRetryable(new SQLException("", "40P01"))).isTrue();
        assertThat(plain.isRetryable(new SQLException("", "40003"))).isFalse();
        JdbcDialect sqlite = dialectOf("SQLite", "3");
        assertThat(sqlite.isViolation(new SQLException("", null, 19 | 6 << 8))).isTrue();
        assertThat(sqlite.isRefusal(new SQLException("", null, 18))).isTrue();
        assertThat(sqlite.isRefusal(new SQLException("", null, 5))).isFalse();
        assertThat(sqlite.isRetryable(new SQLException("", null, 5))).isTrue();
    }
}
