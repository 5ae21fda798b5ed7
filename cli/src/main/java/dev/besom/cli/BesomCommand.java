package dev.besom.cli;

import dev.besom.distribution.DistributionLearner;
import dev.besom.lab.report.Calculator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all commands share: {@code --help}, {@code --version}, {@code --json} and the streams. A command says what is wrong with its
 * options by {@link #refuse(String)}, and with its input by {@link InputException}; everything else that goes wrong is
 * thrown as it comes and told by {@link Main}.
 */
@Command(
        sortOptions = false,
        versionProvider = Main.Version.class,
        exitCodeOnInvalidInput = ExitCode.BAD_INPUT,
        exitCodeOnExecutionException = ExitCode.ENVIRONMENT)
abstract class BesomCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 100,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli looks at the option, not at the field
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            order = 101,
            description = "Show the version.")
    @SuppressWarnings("UnusedVariable") // picocli looks at the option, not at the field
    private boolean version;

    @Option(names = "--json", order = 99, description = "Print one JSON document instead of text.")
    private boolean json;

    private @Nullable Console console;

    /** Must be called once, before the command runs. */
    final void attach(Console streams) {
        this.console = streams;
    }

    final Console console() {
        if (console == null) {
            throw new IllegalStateException("the command has no streams yet");
        }
        return console;
    }

    final boolean wantsJson() {
        return json;
    }

    /** A writer of the one JSON document on standard output. */
    final JsonWriter json() {
        return new JsonWriter(console().output());
    }

    /** What to throw for options that make no sense; the message names the option. */
    final ParameterException refuse(String message) {
        if (spec == null) {
            throw new IllegalStateException(message);
        }
        return new ParameterException(spec.commandLine(), message);
    }

    /** Whether the option stands on the command line. */
    final boolean isGiven(String option) {
        return spec != null && spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Work that refuses the user's input by an {@link IllegalArgumentException}, as the lab does. */
    @FunctionalInterface
    interface LabWork<T> {
        T run() throws IOException;
    }

    /** Does such work: what it refuses is told as wrong input, what it cannot read as it is. */
    static <T> T ofLab(LabWork<T> work) throws IOException {
        try {
            return work.run();
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Refuses what does not hold, with a message that names the option. */
    static void check(boolean holds, String message) {
        if (!holds) {
            throw new InputException(message);
        }
    }

    /** Refuses a false-positive rate that is none, or that no 64-bit hash allows. */
    static void checkFpp(double fpp) {
        check(fpp > 0 && fpp < 1, "--fpp: must be above 0 and below 1, not " + fpp);
        check(
                fpp >= Calculator.LEAST_FPP,
                "--fpp: no filter of 64-bit hashes has a rate below " + Calculator.LEAST_FPP + ", such as " + fpp);
    }

    /** Why nothing is learned from a sample that has too few keys. */
    static String tooSmallSample() {
        return "a sample of fewer than " + Numbers.whole(DistributionLearner.LEAST_SAMPLE)
                + " keys or misses tells too little";
    }

    /** What the lab makes of an option's value; where it refuses it, that is told with the option's name. */
    static <T> T ofOption(String option, Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw new InputException(option + ": " + e.getMessage(), e);
        }
    }

    /** Does the work and prints the result. */
    abstract void run() throws IOException;

    @Override
    public final Integer call() throws IOException {
        run();
        return ExitCode.DONE;
    }
}
