package dev.besom.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The streams a command talks to. All text is UTF-8 whatever the locale says. Failed writes to standard output are not
 * swallowed: a result that did not arrive whole must not end in exit code 0.
 */
final class Console {

    private final InputStream input;
    private final ResultStream output;
    private final OutputStream errors;
    private final boolean errorsAreTerminal;

    Console(InputStream input, OutputStream output, OutputStream errors, boolean errorsAreTerminal) {
        this.input = input;
        this.output = new ResultStream(output);
        this.errors = errors;
        this.errorsAreTerminal = errorsAreTerminal;
    }

    /** Standard input. */
    InputStream input() {
        return input;
    }

    /** Standard output, buffered. */
    OutputStream output() {
        return output;
    }

    OutputStream errors() {
        return errors;
    }

    boolean errorsAreTerminal() {
        return errorsAreTerminal;
    }

    /** Writes one line of a result. */
    void print(String line) throws IOException {
        output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Says one line about a failure or a doubt on standard error. */
    void complain(String line) {
        PrintWriter writer = new PrintWriter(errors, false, StandardCharsets.UTF_8);
        writer.print("besom: " + line + "\n");
        writer.flush();
    }

    /** Hands over what is still buffered; fails if any earlier write did, also one whose failure nobody looked at. */
    void finish() throws IOException {
        output.flush();
        if (output.failure != null) {
            throw output.failure;
        }
    }

    /** Hands over what is still buffered where another failure is told anyway. */
    void flushQuietly() {
        try {
            output.flush();
        } catch (IOException e) {
            // The first failure is the one to tell.
            return;
        }
    }

    /** Whoever read standard output has seen enough, as {@code head} does; not worth a message. */
    static final class ReaderGoneException extends IOException {
        ReaderGoneException(IOException cause) {
            super("standard output: nobody reads it", cause);
        }
    }

    /** Remembers the first failure, because writers in between swallow it. */
    private static final class ResultStream extends OutputStream {

        private final BufferedOutputStream target;

        @Nullable
        IOException failure;

        ResultStream(OutputStream target) {
            this.target = new BufferedOutputStream(target, 1 << 16);
        }

        @Override
        public void write(int b) throws IOException {
            try {
                target.write(b);
            } catch (IOException e) {
                throw remember(e);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                target.write(bytes, from, count);
            } catch (IOException e) {
                throw remember(e);
            }
        }

        @Override
        public void flush() throws IOException {
            if (failure != null) {
                return;
            }
            try {
                target.flush();
            } catch (IOException e) {
                throw remember(e);
            }
        }

        private IOException remember(IOException e) {
            boolean readerGone = e.getMessage() != null && e.getMessage().contains("Broken pipe");
            IOException told = readerGone
                    ? new ReaderGoneException(e)
                    : new IOException("standard output: " + InputOutput.describe(e), e);
            if (failure == null) {
                failure = told;
            }
            return told;
        }
    }
}
