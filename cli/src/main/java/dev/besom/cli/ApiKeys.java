package dev.besom.cli;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.besom.FilterSpec;
import dev.besom.InsertableKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.guard.Contract;
import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.jdbc.JdbcColumns;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;

/** How one process checks API keys against the table of them. */
abstract class ApiKeys implements AutoCloseable {

    /** The ways that are compared. */
    enum Way {
        NO_FILTER("no filter"),
        NEGATIVE_CACHE("cache of misses, 1 min"),
        BLOOM_FILTER("Bloom filter"),
        GUARD_FLEET("guards, a fleet");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        ApiKeys open(UrlSource source, String table) throws SQLException {
            return switch (this) {
                case NO_FILTER -> new Plain(source, table);
                case NEGATIVE_CACHE -> new Cached(source, table);
                case BLOOM_FILTER -> new Filtered(source, table);
                case GUARD_FLEET -> new Guarded(source, table);
            };
        }
    }

    /** Whether a key is valid. */
    abstract boolean isValid(String key) throws SQLException;

    /** Makes a key valid. */
    abstract void make(String key) throws SQLException;

    /** Reads of the table so far, those of repairs included. */
    abstract long reads();

    /** Those of them that found nothing. */
    abstract long wastedReads();

    @Override
    public void close() {}

    /** The table as the guards see it. */
    static JdbcStore<String, String> store(UrlSource source, String table) {
        return JdbcStore.adopt(
                source,
                JdbcTable.of(
                        table, JdbcColumns.of("api_key", JdbcType.text()), JdbcColumns.of("owner", JdbcType.text())));
    }

    /** A key of a stream of them. */
    static String key(long seed, long number) {
        return String.format(Locale.ROOT, "key_%016x", mixed(seed ^ mixed(number)));
    }

    /** A permutation whose bits all depend on all. */
    private static long mixed(long number) {
        long x = number + 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }

    /** Reads the table each time. */
    private static class Plain extends ApiKeys {

        private final UrlSource source;
        private final String table;
        private long reads;
        private long wasted;

        Plain(UrlSource source, String table) {
            this.source = source;
            this.table = table;
        }

        @Override
        boolean isValid(String key) throws SQLException {
            try (Connection connection = source.getConnection();
                    PreparedStatement statement =
                            connection.prepareStatement("SELECT owner FROM " + table + " WHERE api_key = ?")) {
                statement.setString(1, key);
                try (ResultSet rows = statement.executeQuery()) {
                    boolean isThere = rows.next();
                    reads++;
                    wasted += isThere ? 0 : 1;
                    return isThere;
                }
            }
        }

        @Override
        void make(String key) throws SQLException {
            try (Connection connection = source.getConnection();
                    PreparedStatement statement = connection.prepareStatement(
                            "INSERT INTO " + table + " (api_key, owner) VALUES (?, 'new')")) {
                statement.setString(1, key);
                statement.executeUpdate();
            }
        }

        @Override
        long reads() {
            return reads;
        }

        @Override
        long wastedReads() {
            return wasted;
        }
    }

    /** Remembers for a minute which keys were not there. Who makes a key forgets that it was not there. */
    private static final class Cached extends Plain {

        private final Cache<String, Boolean> missing = Caffeine.newBuilder()
                .maximumSize(10_000)
                .expireAfterWrite(Duration.ofMinutes(1))
                .build();

        Cached(UrlSource source, String table) {
            super(source, table);
        }

        @Override
        boolean isValid(String key) throws SQLException {
            if (missing.getIfPresent(key) != null) {
                return false;
            }
            boolean isThere = super.isValid(key);
            if (!isThere) {
                missing.put(key, true);
            }
            return isThere;
        }

        @Override
        void make(String key) throws SQLException {
            super.make(key);
            missing.invalidate(key);
        }
    }

    /** A Bloom filter of the keys that were there at the start, and of those made here. */
    private static final class Filtered extends Plain {

        private final InsertableKeyFilter<CharSequence> filter;

        Filtered(UrlSource source, String table) throws SQLException {
            super(source, table);
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                long count;
                try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                    rows.next();
                    count = rows.getLong(1);
                }
                filter = Filters.make("bloom", FilterSpec.of(count + count / 4 + 100, 1.0 / 256), KeyHasher.utf8())
                        .asInsertable();
                try (ResultSet rows = statement.executeQuery("SELECT api_key FROM " + table)) {
                    while (rows.next()) {
                        filter.add(rows.getString(1));
                    }
                }
            }
        }

        @Override
        boolean isValid(String key) throws SQLException {
            return filter.mightContain(key) && super.isValid(key);
        }

        @Override
        void make(String key) throws SQLException {
            filter.add(key);
            super.make(key);
        }
    }

    /** A member of a fleet of guards. */
    private static final class Guarded extends ApiKeys {

        private final StoreGuard<String, String> guard;

        Guarded(UrlSource source, String table) {
            guard = Guard.builder(store(source, table), KeyHasher.utf8())
                    .contract(Contract.fleet())
                    .open();
            guard.ready().join();
        }

        @Override
        boolean isValid(String key) {
            return guard.containsKey(key);
        }

        @Override
        void make(String key) {
            guard.put(key, "new");
        }

        @Override
        long reads() {
            GuardStatistics now = guard.statistics();
            return now.reads().byLookups() + now.reads().byRepairs();
        }

        @Override
        long wastedReads() {
            return guard.statistics().readsSpent();
        }

        @Override
        public void close() {
            guard.close();
        }
    }
}
