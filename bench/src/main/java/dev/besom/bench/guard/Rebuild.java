package dev.besom.bench.guard;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.quotient.TelescopingFilter;
import dev.besom.stored.SortedHashFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/** How fast a filter is built from a file of sorted hashes, by one thread. */
final class Rebuild {

    private static final int ROUNDS = 5;
    private static final long SEED = 0x72656275696c64L;

    private Rebuild() {}

    static void run(int n, PrintStream out) throws IOException {
        Path folder = Files.createTempDirectory("besom-rebuild");
        Path path = folder.resolve("hashes");
        try {
            SortedHashFile.write(path, new SpreadHashes(n));
            try (SortedHashFile file = SortedHashFile.open(path)) {
                out.println(GuardLab.format("%,d hashes in a file, one thread", n));
                TelescopingFilter empty = Filters.makeHashFilter(
                        "telescoping", FilterSpec.of(1, 1.0 / 256), file, TelescopingFilter.class);
                for (int round = 1; round <= ROUNDS; round++) {
                    long start = System.nanoTime();
                    TelescopingFilter filter = empty.grown(n, file);
                    double seconds = (System.nanoTime() - start) / 1e9;
                    out.println(GuardLab.format(
                            "round %d: %.2f s, %.1f million keys a second, %.2f bits a key",
                            round, seconds, filter.count() / seconds / 1e6, (double) filter.sizeInBits() / n));
                }
            }
        } finally {
            Files.deleteIfExists(path);
            Files.delete(folder);
        }
    }

    /** Hashes in their order that are spread as random ones are: the distances between them are exponential. */
    private record SpreadHashes(long count) implements StoredHashes {

        @Override
        public void forEachBetween(long lo, long hi, LongConsumer action) {
            SplittableRandom random = new SplittableRandom(SEED);
            // A little closer together than they would be, so that the last one is surely within the range.
            double mean = 0x1p64 / count * (1 - 5 / Math.sqrt((double) count));
            long hash = 0;
            for (long i = 0; i < count; i++) {
                double step = -Math.log1p(-random.nextDouble()) * mean;
                hash += step < 0x1p63 ? (long) step : Long.MAX_VALUE;
                if (Long.compareUnsigned(lo, hash) <= 0 && Long.compareUnsigned(hash, hi) <= 0) {
                    action.accept(hash);
                }
            }
        }
    }
}
