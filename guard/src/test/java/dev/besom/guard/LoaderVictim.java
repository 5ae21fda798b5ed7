package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The process that {@link LoaderCrashTest} kills: opens a guard over a loader, checks that everything its predecessors
 * acknowledged is there, then puts, removes, asks, merges and takes snapshots until it dies, and says each number it has
 * stored on standard output.
 *
 * <p>The store is a folder with an empty file for each key, which outlives the process whatever the guard does. Keys
 * that are divisible by 3 are removed again when the next one is, which is never said, so they may be there or not.
 */
final class LoaderVictim {

    private LoaderVictim() {}

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path store = Files.createDirectories(folder.resolve("store"));
        Path snapshot = folder.resolve("guard.besom");
        long next = Long.parseLong(args[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
        PrintStream out = System.out;
        Loader<Long, Long> loader = key -> Files.exists(store.resolve(key.toString())) ? key : null;
        LocalKeys<Long> keys = LocalKeys.open(folder.resolve("keys"), KeyHasher.longs(), false, 30);
        LoaderGuard<Long, Long> guard =
                Guard.builder(loader, keys).snapshot(snapshot).shards(2).open();
        for (long key = 1; key < next; key++) {
            Long value = guard.get(key);
            boolean isStored = loader.contains(key);
            if (isStored != (value != null) || (key % 3 != 0 && !isStored)) {
                out.println("lost " + key);
                out.flush();
                return;
            }
        }
        out.println("ready");
        out.flush();
        while (true) {
            Path file = store.resolve(Long.toString(next));
            guard.put(next, () -> touch(file));
            if (next % 3 == 0) {
                Path gone = store.resolve(Long.toString(next - 3));
                guard.remove(next - 3, () -> delete(gone));
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

    private static void touch(Path file) {
        try {
            Files.write(file, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
