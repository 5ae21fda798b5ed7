package dev.besom.lab.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The other end of a {@link RemoteHeat}: reads a request a line from standard input, writes an answer a line. */
final class RemoteHeatMain {

    /** Before the message of a request that could not be met for reasons of the spec or its files. */
    static final String REFUSED = "refused ";

    /** The answer of a JVM that has too little memory for its contender. */
    static final String OUT_OF_MEMORY = "out of memory";

    private RemoteHeatMain() {}

    /** Arguments: the memory limit's size in bits, then the words of a spec. */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // Whatever a library prints must not get between the answers.
        System.setOut(System.err);
        try {
            List<String> words = Arrays.asList(arguments);
            RaceSpec spec = RemoteSpec.parse(words.subList(1, words.size()));
            serve(new LocalHeat(spec, spec.kinds().get(0), Long.parseLong(words.get(0)), RaceKeys.of(spec)), answers);
        } catch (IllegalArgumentException e) {
            String message = e.getMessage() == null ? e.toString() : e.getMessage();
            answers.println(REFUSED + message.replace('\n', ' '));
        } catch (OutOfMemoryError e) {
            answers.println(OUT_OF_MEMORY);
        }
    }

    private static void serve(LocalHeat heat, PrintStream answers) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            Record answer = switch (request) {
                case "prepare" -> heat.prepare();
                case "time" -> heat.time();
                case "play" -> heat.play();
                default -> throw new IllegalArgumentException("unknown request " + request);
            };
            answers.println(RecordText.write(answer));
            answers.flush();
        }
    }
}
