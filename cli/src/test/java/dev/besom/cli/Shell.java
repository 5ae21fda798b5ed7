package dev.besom.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Runs command lines inside the test. */
final class Shell {

    /** What a command left behind. */
    record Result(int code, String out, String err) {

        /** The one line of a refusal, after a check that it is just that and nothing went to standard output. */
        String refusal() {
            if (!out.isEmpty() || !err.startsWith("besom: ") || err.indexOf('\n') != err.length() - 1) {
                throw new AssertionError("not a refusal in one line: " + this);
            }
            return err.strip();
        }
    }

    private Shell() {}

    static Result run(Object... arguments) {
        return runWith(new byte[0], arguments);
    }

    /** Runs with that text on standard input. */
    static Result runWith(String input, Object... arguments) {
        return runWith(input.getBytes(StandardCharsets.UTF_8), arguments);
    }

    static Result runWith(byte[] input, Object... arguments) {
        return runWith(new ByteArrayInputStream(input), new ByteArrayOutputStream(), arguments);
    }

    /** Runs on streams that may fail; the result's output is empty where {@code out} does not remember it. */
    static Result runWith(InputStream in, OutputStream out, Object... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        int code = Main.execute(words, in, out, err, false);
        String printed = out instanceof ByteArrayOutputStream bytes ? bytes.toString(StandardCharsets.UTF_8) : "";
        return new Result(code, printed, err.toString(StandardCharsets.UTF_8));
    }
}
