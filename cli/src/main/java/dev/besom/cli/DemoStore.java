package dev.besom.cli;

import dev.besom.guard.Dictionary;
import dev.besom.guard.MemoryDictionary;
import dev.besom.hash.LongHasher;
import dev.besom.rocksdb.ByteForm;
import dev.besom.rocksdb.RocksDictionary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dictionary of a demo. A folder that it needs is a temporary one, and goes when the demo ends, also early. */
final class DemoStore implements AutoCloseable {

    private static final int BATCH = 1000;

    private final Dictionary<Long, Long> dictionary;
    private final @Nullable Path folder;
    private final Thread hook = new Thread(this::release);
    private boolean isReleased;

    private DemoStore(Dictionary<Long, Long> dictionary, @Nullable Path folder) {
        this.dictionary = dictionary;
        this.folder = folder;
    }

    /** Makes an empty store: {@code rocksdb} or {@code memory}. */
    static DemoStore open(String name) throws IOException {
        if (name.equals("memory")) {
            return new DemoStore(new MemoryDictionary<>(), null);
        }
        Path folder = Files.createTempDirectory("besom-demo");
        try {
            DemoStore store = new DemoStore(RocksDictionary.open(folder, ByteForm.longs(), ByteForm.longs()), folder);
            Runtime.getRuntime().addShutdownHook(store.hook);
            return store;
        } catch (RuntimeException | Error e) {
            delete(folder);
            throw e;
        }
    }

    Dictionary<Long, Long> dictionary() {
        return dictionary;
    }

    /** Stores distinct keys, each as its own value. */
    void fill(long[] keys, LongHasher hasher) {
        if (dictionary instanceof RocksDictionary<Long, Long> rocks) {
            for (int from = 0; from < keys.length; from += BATCH) {
                int count = Math.min(BATCH, keys.length - from);
                List<Long> batch = new ArrayList<>(count);
                long[] hashes = new long[count];
                for (int i = 0; i < count; i++) {
                    batch.add(keys[from + i]);
                    hashes[i] = hasher.hash(keys[from + i]);
                }
                rocks.putAllNew(batch, hashes, batch);
            }
        } else {
            for (long key : keys) {
                dictionary.put(key, hasher.hash(key), key);
            }
        }
    }

    @Override
    public void close() {
        release();
        if (folder != null) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private synchronized void release() {
        if (isReleased) {
            return;
        }
        isReleased = true;
        if (folder == null) {
            dictionary.close();
            return;
        }
        if (Thread.currentThread() != hook) {
            // At the end of the process lookups may still be under way, and the folder goes anyway.
            dictionary.close();
        }
        delete(folder);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
