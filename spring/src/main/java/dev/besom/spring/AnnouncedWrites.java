package dev.besom.spring;

import dev.besom.guard.Announcement;
import dev.besom.guard.StoreGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Rows that the application writes in a transaction, announced to the guard before and settled after it.
 *
 * <pre>
 *   announce          no connection is held yet
 *   begin or join     the transaction
 *   the change        and what entities have pending is flushed
 *   the hash          beside each key, in the same transaction
 *   commit            or rollback
 *   settle            when the connection was given back; where the transaction is the caller's, on another thread
 * </pre>
 */
final class AnnouncedWrites<K> implements OpenTableGuard.Writes<K> {

    private static final Log LOG = LogFactory.getLog(AnnouncedWrites.class);

    private final StoreGuard<K, K> guard;
    private final HashStamp<K> stamp;
    private final DataSource source;
    private final TransactionTemplate transactions;
    private final Executor settler;

    /** Who closes the guard, and what other threads settle at the moment. */
    private final Phaser settlements = new Phaser(1);

    AnnouncedWrites(
            StoreGuard<K, K> guard,
            HashStamp<K> stamp,
            DataSource source,
            TransactionTemplate transactions,
            Executor settler) {
        this.guard = guard;
        this.stamp = stamp;
        this.source = source;
        this.transactions = transactions;
        this.settler = settler;
    }

    /** Gives the row of a key its hash. */
    @FunctionalInterface
    interface HashStamp<K> {
        /** Gives the row its hash, if there is one that needs it. */
        void putHash(Connection connection, K key, long hash) throws SQLException;
    }

    @Override
    @SuppressWarnings("NullAway") // what the template returns is what the change has returned
    public <T extends @Nullable Object> T write(Collection<? extends K> keys, Supplier<T> change) {
        Announced announced = new Announced(keys);
        try {
            return transactions.execute(status -> {
                announced.follow(status.isNewTransaction());
                T result = change.get();
                status.flush();
                announced.putHashes();
                return result;
            });
        } finally {
            announced.returned();
        }
    }

    /** A guard is closed after what was announced to it, and a thread that has announced something cannot close it before. */
    @Override
    public void awaitSettlements() {
        settlements.arriveAndAwaitAdvance();
    }

    /** Keys from their announcement to their settlement. */
    private final class Announced implements TransactionSynchronization {

        private final Map<K, Announcement> announcements = new LinkedHashMap<>();
        private boolean isFollowed;
        private boolean isOwnTransaction;
        private boolean isOver = true;

        Announced(Collection<? extends K> keys) {
            try {
                for (K key : new LinkedHashSet<K>(keys)) {
                    announcements.put(key, guard.announce(key));
                }
            } catch (RuntimeException | Error e) {
                end(true);
                throw e;
            }
        }

        /** Waits for the end of the transaction that the caller is in. */
        void follow(boolean isNew) {
            isOwnTransaction = isNew;
            isOver = false;
            TransactionSynchronizationManager.registerSynchronization(this);
            isFollowed = true;
        }

        void putHashes() {
            Connection connection = DataSourceUtils.getConnection(source);
            try {
                for (Map.Entry<K, Announcement> each : announcements.entrySet()) {
                    stamp.putHash(connection, each.getKey(), each.getValue().hash());
                }
            } catch (SQLException e) {
                throw new UncategorizedSQLException("hash of a guarded key", null, e);
            } finally {
                DataSourceUtils.releaseConnection(connection, source);
            }
        }

        /** After a commit of which nobody knows whether it has happened, keys stay in doubt. */
        @Override
        public void afterCompletion(int status) {
            isOver = status != STATUS_UNKNOWN;
            if (!isOwnTransaction) {
                // This thread still has the transaction's connection, and settling takes another one.
                settlements.register();
                settler.execute(() -> {
                    try {
                        end(isOver);
                    } finally {
                        settlements.arriveAndDeregister();
                    }
                });
            }
        }

        /** The call of the transaction has returned. */
        void returned() {
            if (!isFollowed || isOwnTransaction) {
                end(isOver);
            }
        }

        private void end(boolean isSettled) {
            List<RuntimeException> failures = new ArrayList<>();
            announcements.forEach((key, announcement) -> {
                try (announcement) {
                    if (isSettled) {
                        announcement.settle();
                    }
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            announcements.clear();
            failures.forEach(e -> LOG.warn(
                    "A guard could not be told that a write is over; until it is, lookups of the key read the database. "
                            + Objects.requireNonNullElse(e.getMessage(), ""),
                    e));
        }
    }
}
