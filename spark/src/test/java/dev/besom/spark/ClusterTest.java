package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LongKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import java.io.BufferedReader;
import java.io.IOException;
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
 * A job on a real cluster whose executors are killed in the middle. {@code -Dbesom.cluster.kills=100} says how often;
 * {@code -Dbesom.cluster.keys} how many keys there are.
 */
@Tag("cluster")
class ClusterTest {

    private static final int KILLS = Integer.getInteger("besom.cluster.kills", 100);
    private static final int KEYS = Integer.getInteger("besom.cluster.keys", 3_000_000);
    private static final long SEED = 0x6B696C6CL;

    @TempDir
    Path folder = Path.of("");

    @Test
    void executorsThatAreKilledChangeNoByte() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Path results = Files.createDirectory(folder.resolve("results"));
        try (Cluster cluster = Cluster.start(logs)) {
            List<String> command =
                    new ArrayList<>(Cluster.javaCommand("-Xmx512m", "-Dbesom.sparkOpens=" + Cluster.opens()));
            command.addAll(List.of(
                    ClusterJob.class.getName(), cluster.master(), results.toString(), "" + KEYS, "" + (KILLS + 1)));
            Process driver = new ProcessBuilder(command)
                    .redirectError(logs.resolve("driver.txt").toFile())
                    .start();
            int kills;
            try (BufferedReader output = driver.inputReader()) {
                kills = killExecutors(cluster, output);
                assertThat(driver.waitFor()).as(cluster.output()).isZero();
            } finally {
                driver.destroyForcibly();
            }
            assertThat(kills).isEqualTo(KILLS);
            System.out.println("besom: " + kills + " executors killed");
        }
        assertResults(results);
    }

    /** Kills an executor at a random moment of each round but the first, which tells how long a round takes. */
    private static int killExecutors(Cluster cluster, BufferedReader output) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(SEED);
        int kills = 0;
        long began = System.nanoTime();
        long roundMillis = 0;
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("begin 0")) {
                began = System.nanoTime();
            } else if (line.startsWith("end 0 ")) {
                roundMillis = (System.nanoTime() - began) / 1_000_000;
            } else if (line.startsWith("begin ")) {
                // The first round is slower than the others, as everything runs for the first time.
                Thread.sleep(random.nextLong(Math.max(1, roundMillis / 8)));
                List<ProcessHandle> executors = cluster.executors();
                if (!executors.isEmpty()
                        && executors.get(random.nextInt(executors.size())).destroyForcibly()) {
                    kills++;
                }
            }
        }
        return kills;
    }

    private void assertResults(Path results) throws IOException {
        Path right = folder.resolve("right");
        new ShardPlan("fuse", FilterSpec.of(1, 0.01), KeyHasher.longs().stamp(), 6)
                .writeFolder(
                        right,
                        HashSource.of(LongStream.range(0, KEYS)
                                .map(i -> KeyHasher.longs().hash(7 * i))
                                .toArray()));
        for (int i = 0; i <= KILLS; i++) {
            Path found = results.resolve("shards-" + i);
            assertThat(names(found)).isEqualTo(names(right));
            for (String name : names(right)) {
                assertThat(Files.mismatch(found.resolve(name), right.resolve(name)))
                        .as(found + "/" + name)
                        .isEqualTo(-1);
            }
            assertThat(Files.mismatch(results.resolve("merged-" + i), results.resolve("merged-0")))
                    .isEqualTo(-1);
        }
        LongKeyFilter shards =
                ShardFolder.open(results.resolve("shards-" + KILLS)).read(KeyHasher.longs());
        LongKeyFilter merged = Filters.read(results.resolve("merged-" + KILLS), KeyHasher.longs());
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
