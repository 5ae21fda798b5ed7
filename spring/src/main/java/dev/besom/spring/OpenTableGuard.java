package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A guard over a table, with the way its contract wants rows written. */
final class OpenTableGuard<K> implements TableGuard<K>, AutoCloseable {

    private final String name;
    private final GuardContract contract;
    private final KeyForm<K> form;
    private final Guard<K, ?> guard;
    private final Writes<K> writes;

    /** How rows are written. */
    interface Writes<K> {
        <T extends @Nullable Object> T write(Collection<? extends K> keys, Supplier<T> change);

        /** Waits for what writes have left to other threads. */
        void awaitSettlements();
    }

    OpenTableGuard(String name, GuardContract contract, KeyForm<K> form, Guard<K, ?> guard, Writes<K> writes) {
        this.name = name;
        this.contract = contract;
        this.form = form;
        this.guard = guard;
        this.writes = writes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public GuardContract contract() {
        return contract;
    }

    @Override
    public Guard<K, ?> guard() {
        return guard;
    }

    /**
     * Whether a lookup has to read the database whatever the guard knows: what the caller's transaction has written and not
     * committed is in no feed.
     */
    boolean isPassedBy() {
        return contract == GuardContract.FEED
                && TransactionSynchronizationManager.isActualTransactionActive()
                && !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    KeyForm<K> form() {
        return form;
    }

    @Override
    public <T extends @Nullable Object> T write(K key, Supplier<T> change) {
        return writes.write(List.of(key), change);
    }

    @Override
    public void write(K key, Runnable change) {
        writes.<@Nullable Object>write(List.of(key), () -> {
            change.run();
            return null;
        });
    }

    @Override
    public <T extends @Nullable Object> T writeAll(Collection<? extends K> keys, Supplier<T> change) {
        return writes.write(keys, change);
    }

    @Override
    public void close() {
        writes.awaitSettlements();
        guard.close();
    }
}
