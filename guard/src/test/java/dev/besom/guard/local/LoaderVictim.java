package dev.besom.guard.local;

import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.store.Loader;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process that {@link LoaderCrashTest} kills: works with a guard over a loader, and merges its hashes often.
 *
 * <p>The store is a folder with an empty file for each key, which outlives the process whatever the guard does.
 */
record LoaderVictim(Path store, Path file, LoaderGuard<Long, Long> guard) implements KilledWork {

    public static void main(String[] args) throws IOException {
        KilledWork.runAll(args, LoaderVictim::open);
    }

    private static KilledWork open(Path folder) throws IOException {
        Path store = Files.createDirectories(folder.resolve("store"));
        Path snapshot = folder.resolve("guard.besom");
        Loader<Long, Long> loader = key -> isStored(store, key) ? key : null;
        LocalKeys<Long> keys =
                LocalKeys.open(folder.resolve("keys"), KeyHasher.longs(), LocalHashes.Settings.of(false, 30));
        LoaderGuard<Long, Long> guard =
                Guard.builder(loader, keys).snapshot(snapshot).shards(2).open();
        return new LoaderVictim(store, snapshot, guard);
    }

    private static boolean isStored(Path store, long key) {
        return Files.exists(store.resolve(Long.toString(key)));
    }

    @Override
    public boolean isRight(long key, boolean isAcknowledged) {
        boolean isStored = isStored(store, key);
        return guard.containsKey(key) == isStored && (isStored || !isAcknowledged);
    }

    /** The folder of hashes may have some of keys that never got into the store. */
    @Override
    public boolean isRightInNumber() {
        return true;
    }

    @Override
    public void put(long key) {
        guard.put(key, () -> {
            try {
                Files.write(store.resolve(Long.toString(key)), new byte[0]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void remove(long key) {
        guard.remove(key, () -> {
            try {
                Files.deleteIfExists(store.resolve(Long.toString(key)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void ask(long missing) {
        guard.get(missing);
    }

    @Override
    public void snapshot() throws IOException {
        guard.snapshot(file);
    }
}
