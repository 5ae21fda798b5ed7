package dev.besom.rocksdb;

import dev.besom.guard.Guard;
import dev.besom.guard.KilledStoreGuard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;

/** The process that {@link CrashTest} kills: works with a guard over a folder of RocksDB. */
final class Victim {

    private Victim() {}

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path snapshot = folder.resolve("guard.besom");
        RocksStore<Long, Long> store = RocksStore.open(folder.resolve("db"), ByteForm.longs(), ByteForm.longs());
        StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .snapshot(snapshot)
                .shards(4)
                .open();
        new KilledStoreGuard(guard, snapshot, true).run(args);
    }
}
