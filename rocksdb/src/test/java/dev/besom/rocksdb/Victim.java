package dev.besom.rocksdb;

import dev.besom.guard.Guard;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.nio.file.Path;

/** The process that {@link CrashTest} kills: works with a guard over a folder of RocksDB. */
record Victim(Guard<Long, Long> guard, Path file) implements KilledWork {

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path snapshot = folder.resolve("guard.besom");
        RocksDictionary<Long, Long> dictionary =
                RocksDictionary.open(folder.resolve("db"), ByteForm.longs(), ByteForm.longs());
        Guard<Long, Long> guard = Guard.builder(dictionary, KeyHasher.longs())
                .snapshot(snapshot)
                .shards(4)
                .open();
        new Victim(guard, snapshot).run(args);
    }

    @Override
    public boolean isRight(long key, boolean isAcknowledged) {
        Long value = guard.get(key);
        return value == null ? !isAcknowledged && !guard.dictionary().contains(key) : value == key;
    }

    @Override
    public boolean isRightInNumber() {
        return guard.count() == guard.dictionary().hashes().count();
    }

    @Override
    public void put(long key) {
        guard.put(key, key);
    }

    @Override
    public void remove(long key) {
        guard.remove(key);
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
