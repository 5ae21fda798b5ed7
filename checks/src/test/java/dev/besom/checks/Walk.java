package dev.besom.checks;

import dev.besom.FilterSpec;
import dev.besom.cli.Main;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;

/** One thing that users do, in a process of its own, so that the classes it takes can be counted. */
public final class Walk {

    private static final int KEYS = 2_000;

    private Walk() {}

    /**
     * Takes a walk.
     *
     * @param arguments the walk, and the files it needs
     */
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "query" -> Main.main(new String[] {"query", arguments[1], arguments[2]});
            case "repair" -> repair();
            case "save" -> save(Path.of(arguments[1]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Lookups of keys that are not there, until one was a false positive and is repaired. */
    private static void repair() {
        try (StoreGuard<Long, String> guard = Guard.over(new MemoryStore<Long, String>(), KeyHasher.longs())) {
            for (long key = 0; key < KEYS; key++) {
                guard.put(key, "");
            }
            for (long key = KEYS; guard.statistics().repairs().fixed() == 0; key++) {
                guard.get(key);
            }
        }
    }

    /** A filter of a thousand keys, made, filled and written. */
    static void save(Path file) throws IOException {
        var filter = Filters.make("bloom", FilterSpec.of(1_000, 0.01), KeyHasher.utf8())
                .asInsertable();
        for (int i = 0; i < 1_000; i++) {
            filter.add("key " + i);
        }
        filter.save(file);
    }
}
