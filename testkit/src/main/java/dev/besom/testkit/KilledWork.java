package dev.besom.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * What one guard of a process does until {@link KillLoop} kills that: checks that everything its predecessors acknowledged is
 * there, then puts, removes, asks and takes snapshots, and says each number it has stored on standard output.
 *
 * <p>Keys are numbers counted up. Keys that are divisible by 3 are removed again when the next one is divisible by 3,
 * which is never said, so they may be there or not.
 */
public interface KilledWork {

    /**
     * Whether a key is as it should be.
     *
     * @param isAcknowledged whether it has to be there
     */
    boolean isRight(long key, boolean isAcknowledged);

    /** Whether filter and store agree about how many keys there are. */
    boolean isRightInNumber();

    /** Puts a key in. */
    void put(long key);

    /** Takes a key out. */
    void remove(long key);

    /** Asks for a key that is not there. */
    void ask(long missing);

    /** Saves the filters, where the guard does that. */
    void snapshot() throws IOException;

    /** Opens the guard of a folder. */
    @FunctionalInterface
    interface Opening {
        /** Opens it. */
        KilledWork open(Path folder) throws IOException;
    }

    /**
     * Works with several guards at once, a thread and a folder for each, until the process is killed.
     *
     * @param arguments of the process: the folder, a seed, and for each guard the first number to put
     */
    static void runAll(String[] arguments, Opening opening) throws IOException {
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        for (int guard = 0; guard < arguments.length - 2; guard++) {
            String name = Integer.toString(guard);
            Path folder = Files.createDirectories(Path.of(arguments[0], name));
            long next = Long.parseLong(arguments[guard + 2]);
            SplittableRandom own = random.split();
            new Thread(
                            () -> {
                                try {
                                    opening.open(folder).run(name, next, own);
                                } catch (IOException | RuntimeException | Error e) {
                                    say(name, "lost by " + e);
                                    e.printStackTrace();
                                }
                            },
                            "guard " + name)
                    .start();
        }
    }

    /** Works until the process is killed, or ends where something was lost. */
    private void run(String name, long first, SplittableRandom random) throws IOException {
        for (long key = 1; key < first; key++) {
            if (!isRight(key, key % 3 != 0)) {
                say(name, "lost " + key);
                return;
            }
        }
        if (!isRightInNumber()) {
            say(name, "lost count");
            return;
        }
        say(name, "ready");
        for (long next = first; ; next++) {
            put(next);
            if (next % 3 == 0) {
                remove(next - 3);
            }
            say(name, Long.toString(next));
            for (int i = 0; i < 20; i++) {
                ask(-random.nextLong(1_000_000));
            }
            if (random.nextInt(20) == 0) {
                snapshot();
            }
        }
    }

    /** In one piece, whatever other threads say. */
    private static void say(String name, String what) {
        PrintStream out = System.out;
        out.print(name + " " + what + "\n");
        out.flush();
    }
}
