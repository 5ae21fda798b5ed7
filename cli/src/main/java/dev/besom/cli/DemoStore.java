package dev.besom.cli;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.LongHasher;
import dev.besom.rocksdb.ByteForm;
import dev.besom.rocksdb.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.DBOptions;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;

/**
 * The dictionary of a demo. A folder that it needs is a temporary one, and a table has a name of its own; both go when the
 * demo ends, also early.
 */
final class DemoStore implements AutoCloseable {

    private static final String JDBC = "jdbc:";
    private static final int BATCH = 1000;

    /** H2 closes a database when the process ends, and would do so before the table is gone. */
    private static final String H2 = "jdbc:h2:";

    private static final String POSTGRES = "jdbc:postgresql:";

    private static final String H2_CLOSES = "DB_CLOSE_ON_EXIT";

    /** How often a folder is deleted into which somebody still writes. */
    private static final int MOST_TRIES = 100;

    private static final long PAUSE_MILLIS = 20;

    private static final long STATISTICS_MILLIS = 1100;

    private static final long WRITE_BUFFER_BYTES = 1 << 18;

    private final Release release;
    private final Thread hook = new Thread(this::releaseAtExit);
    private final Store<Long, Long> dictionary;
    private final LongSupplier bytesTouched;
    private boolean isReleased;

    /** Gives back what a store took, as far as it has taken it. */
    @FunctionalInterface
    private interface Release {
        /** @param isAtExit whether the process ends, so that lookups may be under way */
        void run(boolean isAtExit) throws IOException;
    }

    /** Takes what a store needs, and makes it. */
    @FunctionalInterface
    private interface Maker {
        Store<Long, Long> make() throws IOException;
    }

    /** Makes a dictionary after it was seen to that what it takes is given back, whenever the process ends. */
    private DemoStore(Maker maker, Release release) throws IOException {
        this(maker, release, () -> -1);
    }

    /** @param bytesTouched bytes of blocks that the store has gone through; -1 where it does not tell */
    private DemoStore(Maker maker, Release release, LongSupplier bytesTouched) throws IOException {
        this.release = release;
        this.bytesTouched = bytesTouched;
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            this.dictionary = make(maker);
        } catch (IOException | RuntimeException | Error e) {
            try {
                close();
            } catch (IOException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
    }

    /** Makes all of it before anything is given back, or nothing after that. */
    private synchronized Store<Long, Long> make(Maker maker) throws IOException {
        if (isReleased) {
            throw new IOException("no store is made any more, as the process ends");
        }
        return maker.make();
    }

    /** Whether the store is reached over JDBC, so that its reads cost what they cost. */
    static boolean isDatabase(String name) {
        return name.startsWith(JDBC) || name.equals(EmbeddedPostgres.STORE);
    }

    static boolean isKnown(String name) {
        return name.equals("memory") || name.equals("rocksdb") || isDatabase(name);
    }

    /** The refusal of a store that is not {@linkplain #isKnown known}. */
    static String unknown(String name) {
        return "--store: unknown store '" + name + "'; known: rocksdb, postgres, memory, jdbc:URL";
    }

    /** Makes an empty store: {@code rocksdb}, {@code memory} or the URL of a database. */
    static DemoStore open(String name) throws IOException {
        if (name.startsWith(JDBC)) {
            return inDatabase(name);
        }
        if (name.equals("memory")) {
            return new DemoStore(MemoryStore::new, isAtExit -> {});
        }
        return inFolder();
    }

    /** A store in a folder that counts the bytes of the blocks that it goes through. */
    static DemoStore inCountingFolder() throws IOException {
        Statistics statistics = new Statistics();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        // Little memory for writes, so that what is stored is read from blocks.
        DBOptions options = new DBOptions().setStatistics(statistics).setDbWriteBufferSize(WRITE_BUFFER_BYTES);
        return inFolder(
                folder -> RocksStore.builder(ByteForm.longs(), ByteForm.longs())
                        .options(options)
                        .open(folder),
                () -> statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_READ)
                        + statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE));
    }

    private static DemoStore inFolder() throws IOException {
        return inFolder(folder -> RocksStore.open(folder, ByteForm.longs(), ByteForm.longs()), () -> -1);
    }

    private static DemoStore inFolder(Function<Path, RocksStore<Long, Long>> opener, LongSupplier bytesTouched)
            throws IOException {
        AtomicReference<@Nullable Path> made = new AtomicReference<>();
        AtomicReference<@Nullable RocksStore<Long, Long>> opened = new AtomicReference<>();
        return new DemoStore(
                () -> {
                    Path folder = Files.createTempDirectory("besom-demo");
                    made.set(folder);
                    RocksStore<Long, Long> rocks = opener.apply(folder);
                    opened.set(rocks);
                    return rocks;
                },
                isAtExit -> {
                    RocksStore<Long, Long> rocks = opened.get();
                    if (rocks != null && !isAtExit) {
                        rocks.close();
                    }
                    Path folder = made.get();
                    if (folder != null) {
                        delete(folder);
                    }
                },
                bytesTouched);
    }

    private static DemoStore inDatabase(String url) throws IOException {
        UrlSource source =
                new UrlSource(url.startsWith(H2) && !url.contains(H2_CLOSES) ? url + ";" + H2_CLOSES + "=FALSE" : url);
        String table = "besom_demo_" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
                + ProcessHandle.current().pid();
        boolean hadNotes = hasNotes(source);
        return new DemoStore(
                () -> JdbcStore.create(source, JdbcTable.of(table, JdbcType.longs(), JdbcType.longs())),
                isAtExit -> {
                    try {
                        execute(source, "DROP TABLE IF EXISTS " + table);
                        if (!hadNotes) {
                            execute(source, "DROP TABLE IF EXISTS besom_notes");
                        } else {
                            execute(source, "DELETE FROM besom_notes WHERE besom_table = '" + table + "'");
                        }
                    } finally {
                        source.close();
                    }
                },
                url.startsWith(POSTGRES) ? () -> blockBytes(source, table) : () -> -1);
    }

    /** The bytes of a table's and its indexes' blocks that PostgreSQL has gone through, read or found in its cache. */
    private static long blockBytes(UrlSource source, String table) {
        String sql = "SELECT current_setting('block_size')::bigint * (heap_blks_read + heap_blks_hit"
                + " + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))"
                + " FROM pg_statio_user_tables WHERE relname = '" + table + "'";
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            // A session tells what it has counted at the end of a statement, if it has not done so for a second.
            pause(STATISTICS_MILLIS);
            statement.execute("SELECT 1");
            pause(STATISTICS_MILLIS);
            try (ResultSet bytes = statement.executeQuery(sql)) {
                return bytes.next() ? bytes.getLong(1) : -1;
            }
        } catch (SQLException e) {
            throw new StoreException("cannot read the statistics of " + table, e);
        }
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

    /** Bytes of blocks that the store has gone through, in files and in its cache; -1 where it does not tell. */
    long bytesTouched() {
        return bytesTouched.getAsLong();
    }

    Store<Long, Long> dictionary() {
        return dictionary;
    }

    /** Stores distinct keys, each as its own value. What is read afterwards is read from files, whenever they are written. */
    void fill(long[] keys, LongHasher hasher) {
        for (int from = 0; from < keys.length; from += BATCH) {
            int count = Math.min(BATCH, keys.length - from);
            List<Long> batch = new ArrayList<>(count);
            long[] hashes = new long[count];
            for (int i = 0; i < count; i++) {
                batch.add(keys[from + i]);
                hashes[i] = hasher.hash(keys[from + i]);
            }
            if (dictionary instanceof RocksStore<Long, Long> rocks) {
                rocks.putAllNew(batch, hashes, batch);
            } else if (dictionary instanceof JdbcStore<Long, Long> table) {
                table.putAll(batch, hashes, batch);
            } else {
                for (int i = 0; i < count; i++) {
                    dictionary.put(batch.get(i), hashes[i], batch.get(i));
                }
            }
        }
        if (dictionary instanceof RocksStore<Long, Long> rocks) {
            rocks.flush();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends, and the hook does it.
            return;
        }
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

    /** Deletes a folder, also while somebody writes there who does not know yet that the process ends. */
    private static void delete(Path folder) throws IOException {
        for (int tries = 1; Files.exists(folder); tries++) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException e) {
                if (tries == MOST_TRIES) {
                    throw new IOException("cannot delete " + folder + ": " + e.getMessage(), e);
                }
                pause(PAUSE_MILLIS);
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
