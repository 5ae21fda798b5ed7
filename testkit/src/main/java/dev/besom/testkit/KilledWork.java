package dev.besom.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.util.SplittableRandom;

/**
 * What a process does until {@link KillLoop} kills it: checks that everything its predecessors acknowledged is there, then
 * puts, removes, asks and takes snapshots, and says each number it has stored on standard output.
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

    /**
     * Works until the process is killed, or ends where something was lost.
     *
     * @param arguments of the process: the folder, the first number to put, and a seed
     */
    default void run(String[] arguments) throws IOException {
        long next = Long.parseLong(arguments[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        PrintStream out = System.out;
        for (long key = 1; key < next; key++) {
            if (!isRight(key, key % 3 != 0)) {
                say(out, "lost " + key);
                return;
            }
        }
        if (!isRightInNumber()) {
            say(out, "lost count");
            return;
        }
        say(out, "ready");
        while (true) {
            put(next);
            if (next % 3 == 0) {
                remove(next - 3);
            }
            say(out, Long.toString(next));
            next++;
            for (int i = 0; i < 20; i++) {
                ask(-random.nextLong(1_000_000));
            }
            if (random.nextInt(20) == 0) {
                snapshot();
            }
        }
    }

    private static void say(PrintStream out, String line) {
        out.println(line);
        out.flush();
    }
}
