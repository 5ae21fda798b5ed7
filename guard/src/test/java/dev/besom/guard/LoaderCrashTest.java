package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that works with a guard over a loader, and has the next one look for everything acknowledged. */
class LoaderCrashTest {

    @TempDir
    Path folder;

    @Test
    void acknowledgedKeysSurviveSixtyKills() throws Exception {
        killAgainAndAgain(60);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTenThousandKills() throws Exception {
        killAgainAndAgain(10_000);
    }

    /** Half of the kills in one folder and half in another, at the same time. */
    private void killAgainAndAgain(int kills) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Long>> lanes = List.of(
                    threads.submit(() -> killAgainAndAgain(folder.resolve("left"), kills / 2, 1)),
                    threads.submit(() -> killAgainAndAgain(folder.resolve("right"), kills - kills / 2, 2)));
            for (Future<Long> lane : lanes) {
                assertThat(lane.get()).as("keys that were put").isGreaterThan(kills);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private long killAgainAndAgain(Path lane, int kills, long seed) throws Exception {
        Files.createDirectory(lane);
        SplittableRandom random = new SplittableRandom(seed);
        long next = 1;
        for (int kill = 0; kill < kills; kill++) {
            Process victim = start(lane, next, random.nextLong());
            try {
                next = runAndKill(victim, next, random);
            } finally {
                victim.destroyForcibly().waitFor();
            }
        }
        return next - 1;
    }

    /** Lets the process work for a random while, most often after it is ready, and returns the number to go on with. */
    private static long runAndKill(Process victim, long from, SplittableRandom random) throws IOException {
        long next = from;
        // Some die while they start, open, prime or check, the others after a number of steps.
        boolean early = random.nextInt(8) == 0;
        int steps = random.nextInt(60);
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
            if (early) {
                long until = System.nanoTime() + random.nextInt(150) * 1_000_000L;
                while (System.nanoTime() < until && victim.isAlive()) {
                    Thread.onSpinWait();
                }
                victim.toHandle().destroyForcibly();
            }
            String line = said.readLine();
            while (line != null) {
                assertThat(line).doesNotStartWith("lost");
                if (!line.equals("ready")) {
                    next = Long.parseLong(line) + 1;
                }
                if (!early && steps-- == 0) {
                    victim.toHandle().destroyForcibly();
                }
                line = said.readLine();
            }
        }
        return next;
    }

    private Process start(Path lane, long next, long seed) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        path,
                        LoaderVictim.class.getName(),
                        lane.toString(),
                        Long.toString(next),
                        Long.toString(seed)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
