package dev.besom.guard;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** On a server that is fetched from the package registry, which takes longer than the plain build has. */
@Tag("thorough")
class MariaDbFleetTest extends FleetPromises {

    private static @Nullable MariaDbServer server;
    private static @Nullable MariaDbPoolDataSource pool;

    @BeforeAll
    static void start(@TempDir Path folder) throws SQLException {
        MariaDbServer started = MariaDbServer.start(folder);
        server = started;
        started.create("fleets");
        pool = new MariaDbPoolDataSource(started.url("fleets") + "?user=root&maxPoolSize=50");
    }

    @AfterAll
    static void stop() throws Exception {
        if (pool != null) {
            pool.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Override
    DataSource source() {
        return Objects.requireNonNull(pool);
    }
}
