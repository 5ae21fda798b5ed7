package dev.besom.rocksdb;

import dev.besom.guard.Guard;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The process that {@link CrashTest} kills: opens a guard, checks that everything its predecessors acknowledged is there,
 * then puts, removes, asks and takes snapshots until it dies, and says each number it has stored on standard output.
 *
 * <p>Keys are numbers counted up. Keys that are divisible by 3 are removed again when the next one is divisible by 3,
 * which is never said, so they may be there or not.
 */
final class Victim {

    private Victim() {}

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        long next = Long.parseLong(args[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
        Path snapshot = folder.resolve("guard.besom");
        PrintStream out = System.out;
        RocksDictionary<Long, Long> dictionary =
                RocksDictionary.open(folder.resolve("db"), ByteForm.longs(), ByteForm.longs());
        Guard<Long, Long> guard = Guard.builder(dictionary, KeyHasher.longs())
                .snapshot(snapshot)
                .shards(4)
                .open();
        for (long key = 1; key < next; key++) {
            Long value = guard.get(key);
            if (key % 3 != 0 && (value == null || value != key)) {
                out.println("lost " + key);
                out.flush();
                return;
            }
        }
        if (guard.count() != dictionary.hashes().count()) {
            out.println(
                    "lost count " + guard.count() + " of " + dictionary.hashes().count());
            out.flush();
            return;
        }
        out.println("ready");
        out.flush();
        while (true) {
            guard.put(next, next);
            if (next % 3 == 0) {
                guard.remove(next - 3);
            }
            out.println(next);
            out.flush();
            next++;
            for (int i = 0; i < 20; i++) {
                guard.get(-random.nextLong(1_000_000));
            }
            if (random.nextInt(20) == 0) {
                guard.snapshot(snapshot);
            }
        }
    }
}
