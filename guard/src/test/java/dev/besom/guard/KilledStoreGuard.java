package dev.besom.guard;

import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The work of a process with a guard over a store, until it is killed.
 *
 * @param file where snapshots go
 * @param isDurable whether the store has all that was acknowledged after a crash of the process. Otherwise all that has to
 *     be found is what the store has
 */
public record KilledStoreGuard(StoreGuard<Long, Long> guard, Path file, boolean isDurable) implements KilledWork {

    @Override
    public boolean isRight(long key, boolean isAcknowledged) {
        Long value = guard.get(key);
        return value == null ? !(isAcknowledged && isDurable) && !guard.store().contains(key) : value == key;
    }

    @Override
    public boolean isRightInNumber() {
        return guard.count() == guard.store().hashes().count();
    }

    @Override
    public void put(long key) {
        change(() -> guard.put(key, key));
    }

    @Override
    public void remove(long key) {
        change(() -> guard.remove(key));
    }

    /** A machine that stands still for seconds costs a guard its lease for a while, in which it changes nothing and says so. */
    private static void change(Runnable change) {
        while (true) {
            try {
                change.run();
                return;
            } catch (IllegalStateException e) {
                if (!String.valueOf(e.getMessage()).contains("lost its lease")) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Override
    public void ask(long missing) {
        guard.get(missing);
    }

    @Override
    public void snapshot() {
        change(() -> {
            try {
                guard.snapshot(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
