package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Kills a process whose guards store keys, again and again at random moments, and has the next one look for every key that was
 * acknowledged.
 *
 * <p>The process is a class with a {@code main} that takes what {@link KilledWork#runAll} does. Each of its {@value #GUARDS} guards
 * has a folder and a thread of its own: to start a process is most of the work, and a kill meets each guard at another
 * moment. A guard opens what is in its folder, looks for all the numbers from 1 up to the first one, and says on standard
 * output, after its number:
 *
 * <pre>
 *   lost ...    a number is not there that should be, or something has failed
 *   ready       all are there
 *   17          number 17 is stored; it goes on with 18, and so on, until it is killed
 * </pre>
 *
 * The second process of a lane, and then one in eight, dies while it starts, opens or checks, all others within their
 * work: a random number of steps after a guard was ready, and a random while after that step. A folder serves
 * {@value #KILLS_PER_FOLDER} processes, so that there is never much to check and most of the time is work.
 */
public final class KillLoop {

    /** How many guards each process has. */
    public static final int GUARDS = 8;

    /** The processes that a thorough run kills: those of 10,000 guards, unless {@code -Dbesom.kills} says otherwise. */
    public static final int THOROUGH_PROCESSES = Math.max(1, Integer.getInteger("besom.kills", 10_000) / GUARDS);

    private static final int KILLS_PER_FOLDER = 24;
    private static final int MOST_STEPS = 40 * GUARDS;
    private static final int MOST_NANOS_AFTER_STEP = 2_000_000;
    private static final int MOST_NANOS_WHEN_EARLY = 300_000_000;
    private static final int LANES = 2;
    private static final int EARLY_EVERY = 8;
    private static final int TELL_EVERY = 10;
    private static final int ENOUGH_OF_REHEARSAL = 100;

    private final Path folder;
    private final Class<?> victim;
    private final List<String> options;
    private final AtomicInteger done = new AtomicInteger();

    /**
     * @param folder where the processes work; what they leave is deleted
     * @param options of the Java machine, beside those that make it start quickly
     */
    public KillLoop(Path folder, Class<?> victim, String... options) {
        this.folder = folder;
        this.victim = victim;
        this.options = List.of(options);
    }

    /**
     * Kills so many processes, in two places at the same time.
     *
     * @throws AssertionError if a key was lost, or the processes have hardly stored any
     */
    public void run(int processes) throws Exception {
        QuickStart victims = new QuickStart(Files.createDirectory(folder.resolve("start")), victim, options);
        rehearse(victims);
        ExecutorService threads = Executors.newFixedThreadPool(LANES);
        try {
            List<Future<Long>> lanes = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                int number = lane;
                int share = processes / LANES + (lane < processes % LANES ? 1 : 0);
                lanes.add(threads.submit(() -> runLane(victims, number, share)));
            }
            for (Future<Long> lane : lanes) {
                assertThat(lane.get()).as("keys that were stored").isGreaterThan(processes);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Lets a process work and end by itself, for what later ones gain by that. */
    private void rehearse(QuickStart victims) throws Exception {
        Path place = Files.createDirectory(folder.resolve("rehearsal"));
        Process process = victims.startFirst(place.toString(), "0", "1");
        try (BufferedReader said = reader(process)) {
            int lines = 0;
            while (lines < ENOUGH_OF_REHEARSAL && said.readLine() != null) {
                lines++;
            }
            process.toHandle().destroy();
            process.waitFor();
        } finally {
            process.destroyForcibly().waitFor();
        }
        delete(place);
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    private long runLane(QuickStart victims, int lane, int processes) throws Exception {
        SplittableRandom random = new SplittableRandom(Seeds.of(0x6b696c6cL, lane));
        long stored = 0;
        for (int first = 0; first < processes; first += KILLS_PER_FOLDER) {
            Path place = Files.createDirectory(folder.resolve("lane" + lane + "-" + first));
            long[] next = new long[GUARDS];
            Arrays.fill(next, 1);
            for (int kill = first; kill < Math.min(processes, first + KILLS_PER_FOLDER); kill++) {
                runAndKill(victims, place, next, kill % EARLY_EVERY == 1, random);
                if (done.incrementAndGet() % TELL_EVERY == 0) {
                    System.out.println("besom: " + done + " processes of " + victim.getSimpleName() + " killed, with "
                            + GUARDS * done.get() + " guards");
                }
            }
            stored += Arrays.stream(next).sum() - GUARDS;
            delete(place);
        }
        return stored;
    }

    /**
     * Lets a process work for a random while.
     *
     * @param next the number that each guard goes on with
     */
    private static void runAndKill(
            QuickStart victims, Path place, long[] next, boolean isEarly, SplittableRandom random) throws Exception {
        int steps = random.nextInt(MOST_STEPS);
        long pause = random.nextInt(isEarly ? MOST_NANOS_WHEN_EARLY : MOST_NANOS_AFTER_STEP);
        String description = place.getFileName() + " with " + Arrays.toString(next);
        List<String> arguments = new ArrayList<>(List.of(place.toString(), Long.toString(random.nextLong())));
        Arrays.stream(next).forEach(each -> arguments.add(Long.toString(each)));
        Process process = victims.start(arguments.toArray(String[]::new));
        boolean isKilled = isEarly;
        try (BufferedReader said = reader(process)) {
            if (isEarly) {
                process.waitFor(pause, TimeUnit.NANOSECONDS);
                process.toHandle().destroyForcibly();
            }
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                assertThat(line).as(description).doesNotContain("lost");
                String[] words = line.split(" ", 2);
                if (!words[1].equals("ready")) {
                    next[Integer.parseInt(words[0])] = Long.parseLong(words[1]) + 1;
                }
                if (!isKilled && steps-- == 0) {
                    spin(pause);
                    // By its handle: the process itself would close the stream before it is read.
                    process.toHandle().destroyForcibly();
                    isKilled = true;
                }
            }
            assertThat(isKilled).as("%s has not ended by itself", description).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Too short to sleep. */
    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private static void delete(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
