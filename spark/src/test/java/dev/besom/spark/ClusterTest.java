package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LongKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job on a real cluster whose executors, and a job whose driver is killed in the middle.
 * {@code -Dbesom.cluster.kills=100} says how often executors are, {@code -Dbesom.cluster.keys} how many keys there are. Tasks
 * are speculative, so many of them run twice at the same time.
 */
@Tag("cluster")
class ClusterTest {

    private static final int KILLS = Integer.getInteger("besom.cluster.kills", 100);
    private static final int KEYS = Integer.getInteger("besom.cluster.keys", 3_000_000);
    private static final int DRIVER_KILLS = 10;
    private static final long SEED = 0x6B696C6CL;

    @TempDir
    Path folder = Path.of("");

    @Test
    void executorsThatAreKilledChangeNoByte() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Path results = Files.createDirectory(folder.resolve("results"));
        int rounds;
        try (Cluster cluster = Cluster.start(logs)) {
            Process driver = startDriver(cluster.master(), logs, results);
            try (BufferedReader output = driver.inputReader()) {
                try (Writer orders = driver.outputWriter()) {
                    rounds = killExecutors(cluster, output, orders);
                }
                assertThat(driver.waitFor()).as(cluster.output()).isZero();
            } finally {
                driver.destroyForcibly();
            }
            System.out.println("besom: " + KILLS + " executors killed in " + rounds + " rounds");
        }
        assertResults(results, rounds);
    }

    private static Process startDriver(String master, Path logs, Path results) throws IOException {
        List<String> command = new ArrayList<>(Cluster.javaCommand(
                Cluster.classPath(), "-Xmx512m", "-Dbesom.sparkOpens=" + System.getProperty("besom.sparkOpens")));
        command.addAll(List.of(ClusterJob.class.getName(), master, results.toString(), "" + KEYS));
        return new ProcessBuilder(command)
                .redirectError(logs.resolve("driver.txt").toFile())
                .start();
    }

    /**
     * Kills an executor in the midst of each round but the first, at a moment that is drawn from the shortest round so far. A
     * round that was over before does not count.
     *
     * @return how many rounds there were
     */
    private static int killExecutors(Cluster cluster, BufferedReader output, Writer orders)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(SEED);
        long shortest = Long.MAX_VALUE;
        int rounds = 0;
        for (int kills = 0; kills < KILLS; rounds++) {
            orders.write("build\n");
            orders.flush();
            assertThat(output.readLine()).as(cluster::output).isEqualTo("begin " + rounds);
            long began = System.nanoTime();
            if (rounds > 0) {
                long delay = random.nextLong(shortest);
                while (!output.ready() && System.nanoTime() - began < delay) {
                    Thread.sleep(1);
                }
                List<ProcessHandle> executors = cluster.executors();
                if (!output.ready()
                        && !executors.isEmpty()
                        && executors.get(random.nextInt(executors.size())).destroyForcibly()) {
                    kills++;
                }
            }
            assertThat(output.readLine()).as(cluster::output).isEqualTo("end " + rounds + " " + KEYS);
            shortest = Math.min(shortest, System.nanoTime() - began);
        }
        return rounds;
    }

    /** At any moment there are whole filters, and folders and files that nobody takes for one. */
    @Test
    void aDriverThatIsKilledLeavesNothingThatLooksWhole() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        SplittableRandom random = new SplittableRandom(SEED);
        Path right = rightShards();
        for (int kill = 0; kill < DRIVER_KILLS; kill++) {
            Path results = Files.createDirectory(folder.resolve("results-" + kill));
            Process driver = startDriver("local[2]", logs, results);
            try (BufferedReader output = driver.inputReader();
                    Writer orders = driver.outputWriter()) {
                orders.write("build\n".repeat(1000));
                orders.flush();
                String last = "begin " + (1 + random.nextInt(3));
                for (String line = ""; !last.equals(line); line = String.valueOf(output.readLine())) {
                    assertThat(line).isNotEqualTo("null");
                }
                Thread.sleep(random.nextLong(1000));
            } finally {
                driver.destroyForcibly().waitFor();
            }
            for (String name : names(results)) {
                Path found = results.resolve(name);
                if (ShardFolder.isAt(found)) {
                    assertSameFiles(found, right);
                } else if (name.startsWith("shards-")) {
                    assertThatThrownBy(() -> ShardFolder.open(found)).hasMessageContaining("not written to its end");
                } else if (name.startsWith("merged-")) {
                    assertThat(found).hasSameBinaryContentAs(results.resolve("merged-0"));
                } else {
                    assertThat(name).matches("_merged-\\d+_building");
                }
            }
        }
    }

    private Path rightShards() throws IOException {
        Path right = folder.resolve("right");
        new ShardPlan("fuse", FilterSpec.of(1, 0.01), KeyHasher.longs().stamp(), 6)
                .writeFolder(
                        right,
                        HashSource.of(LongStream.range(0, KEYS)
                                .map(i -> KeyHasher.longs().hash(7 * i))
                                .toArray()));
        return right;
    }

    private static void assertSameFiles(Path found, Path right) throws IOException {
        assertThat(names(found)).isEqualTo(names(right));
        for (String name : names(right)) {
            assertThat(Files.mismatch(found.resolve(name), right.resolve(name)))
                    .as(found + "/" + name)
                    .isEqualTo(-1);
        }
    }

    private void assertResults(Path results, int rounds) throws IOException {
        Path right = rightShards();
        for (int i = 0; i < rounds; i++) {
            assertSameFiles(results.resolve("shards-" + i), right);
            assertThat(Files.mismatch(results.resolve("merged-" + i), results.resolve("merged-0")))
                    .isEqualTo(-1);
        }
        LongKeyFilter shards =
                ShardFolder.open(results.resolve("shards-" + (rounds - 1))).read(KeyHasher.longs());
        LongKeyFilter merged = Filters.read(results.resolve("merged-" + (rounds - 1)), KeyHasher.longs());
        for (long i = 0; i < KEYS; i++) {
            if (!shards.mightContain(7 * i) || !merged.mightContain(7 * i)) {
                throw new AssertionError("key " + 7 * i + " is lost");
            }
        }
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
