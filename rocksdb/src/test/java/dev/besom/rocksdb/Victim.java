package dev.besom.rocksdb;

import dev.besom.guard.Guard;
import dev.besom.guard.KilledStoreGuard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.nio.file.Path;

/** The process that {@link CrashTest} kills: works with a guard over a folder of RocksDB. */
final class Victim {

    private Victim() {}

    public static void main(String[] args) throws IOException {
        KilledWork.runAll(args, Victim::open);
    }

    private static KilledWork open(Path folder) {
        Path snapshot = folder.resolve("guard.besom");
        RocksStore<Long, Long> store = RocksStore.open(folder.resolve("db"), ByteForm.longs(), ByteForm.longs());
        StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .snapshot(snapshot)
                .shards(4)
                .open();
        return new KilledStoreGuard(guard, snapshot, true);
    }
}
