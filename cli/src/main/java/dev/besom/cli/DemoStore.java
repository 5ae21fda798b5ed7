package dev.besom.cli;

import dev.besom.guard.Dictionary;
import dev.besom.guard.JdbcDictionary;
import dev.besom.guard.JdbcTable;
import dev.besom.guard.JdbcType;
import dev.besom.guard.MemoryDictionary;
import dev.besom.hash.LongHasher;
import dev.besom.rocksdb.ByteForm;
import dev.besom.rocksdb.RocksDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The dictionary of a demo. A folder that it needs is a temporary one, and a table has a name of its own; both go when the
 * demo ends, also early.
 */
final class DemoStore implements AutoCloseable {

    private static final String JDBC = "jdbc:";
    private static final int BATCH = 1000;

    private final Dictionary<Long, Long> dictionary;
    private final Release release;
    private final Thread hook = new Thread(this::releaseAtExit);
    private boolean isReleased;

    /** Gives back what a store took. */
    @FunctionalInterface
    private interface Release {
        /** @param isAtExit whether the process ends, so that lookups may be under way */
        void run(boolean isAtExit) throws IOException;
    }

    private DemoStore(Dictionary<Long, Long> dictionary, Release release) {
        this.dictionary = dictionary;
        this.release = release;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static boolean isKnown(String name) {
        return name.equals("memory") || name.equals("rocksdb") || name.startsWith(JDBC);
    }

    /** Makes an empty store: {@code rocksdb}, {@code memory} or the URL of a database. */
    static DemoStore open(String name) throws IOException {
        if (name.startsWith(JDBC)) {
            return inDatabase(name);
        }
        if (name.equals("memory")) {
            return new DemoStore(new MemoryDictionary<>(), isAtExit -> {});
        }
        Path folder = Files.createTempDirectory("besom-demo");
        try {
            RocksDictionary<Long, Long> rocks = RocksDictionary.open(folder, ByteForm.longs(), ByteForm.longs());
            return new DemoStore(rocks, isAtExit -> {
                if (!isAtExit) {
                    rocks.close();
                }
                delete(folder);
            });
        } catch (RuntimeException | Error e) {
            delete(folder);
            throw e;
        }
    }

    private static DemoStore inDatabase(String url) throws IOException {
        UrlSource source = new UrlSource(url);
        String table = "besom_demo_" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
                + ProcessHandle.current().pid();
        boolean hadNotes = hasNotes(source);
        JdbcDictionary<Long, Long> dictionary =
                JdbcDictionary.create(source, JdbcTable.of(table, JdbcType.longs(), JdbcType.longs()));
        return new DemoStore(dictionary, isAtExit -> {
            execute(source, "DROP TABLE " + table);
            execute(
                    source,
                    hadNotes
                            ? "DELETE FROM besom_notes WHERE besom_table = '" + table + "'"
                            : "DROP TABLE besom_notes");
            try {
                source.close();
            } catch (SQLException e) {
                throw new IOException(e.getMessage(), e);
            }
        });
    }

    private static boolean hasNotes(UrlSource source) throws IOException {
        try (Connection connection = source.getConnection();
                ResultSet tables = connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
            boolean isThere = false;
            while (tables.next()) {
                isThere |=
                        tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT).equals("besom_notes");
            }
            return isThere;
        } catch (SQLException e) {
            throw new InputException("--store: cannot connect: " + e.getMessage(), e);
        }
    }

    private static void execute(UrlSource source, String sql) throws IOException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IOException("cannot clean up the database: " + e.getMessage(), e);
        }
    }

    Dictionary<Long, Long> dictionary() {
        return dictionary;
    }

    /** Stores distinct keys, each as its own value. */
    void fill(long[] keys, LongHasher hasher) {
        for (int from = 0; from < keys.length; from += BATCH) {
            int count = Math.min(BATCH, keys.length - from);
            List<Long> batch = new ArrayList<>(count);
            long[] hashes = new long[count];
            for (int i = 0; i < count; i++) {
                batch.add(keys[from + i]);
                hashes[i] = hasher.hash(keys[from + i]);
            }
            if (dictionary instanceof RocksDictionary<Long, Long> rocks) {
                rocks.putAllNew(batch, hashes, batch);
            } else if (dictionary instanceof JdbcDictionary<Long, Long> table) {
                table.putAll(batch, hashes, batch);
            } else {
                for (int i = 0; i < count; i++) {
                    dictionary.put(batch.get(i), hashes[i], batch.get(i));
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        release(false);
    }

    private void releaseAtExit() {
        try {
            release(true);
        } catch (IOException e) {
            // Nobody is left to be told.
            return;
        }
    }

    private synchronized void release(boolean isAtExit) throws IOException {
        if (!isReleased) {
            isReleased = true;
            release.run(isAtExit);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
