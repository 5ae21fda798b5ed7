package dev.besom.cli;

import dev.besom.cli.keys.BadKeysException;
import dev.besom.codec.AtomicFile;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line's one entrance: finds the command, runs it and turns whatever goes wrong into one line and an exit
 * code.
 */
public final class Main {

    /** Set by the launcher, which can ask the system; Java itself only knows about terminals that it also reads from. */
    private static final String TERMINAL_PROPERTY = "besom.stderrIsTerminal";

    /** With this set to true an unexpected failure also prints where it happened. */
    private static final String TRACE_PROPERTY = "besom.trace";

    private Main() {}

    public static void main(String[] arguments) {
        // Ctrl-C leaves no part of a file behind.
        Runtime.getRuntime().addShutdownHook(new Thread(AtomicFile::giveUpAll));
        int code = execute(
                arguments,
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Boolean.getBoolean(TERMINAL_PROPERTY));
        System.exit(code);
    }

    /** Runs a command line on the given streams. Never throws and never ends the process. */
    static int execute(String[] arguments, InputStream in, OutputStream out, OutputStream err, boolean errIsTerminal) {
        Console console = new Console(in, out, err, errIsTerminal);
        try {
            int code = commandLine(console).execute(arguments);
            if (code == ExitCode.DONE) {
                console.finish();
            }
            return code;
        } catch (IOException | RuntimeException | Error e) {
            return report(e, console);
        }
    }

    static CommandLine commandLine(Console console) {
        CommandLine line = new CommandLine(new Root());
        for (BesomCommand command : new BesomCommand[] {
            new DemoCommand(),
            new BuildCommand(),
            new QueryCommand(),
            new AddCommand(),
            new RemoveCommand(),
            new ExcludeCommand(),
            new InfoCommand(),
            new MergeCommand(),
            new DeltaCommand(),
            new PatchCommand(),
            new KindsCommand(),
            new RaceCommand(),
            new ReportCommand(),
            new AdviseCommand()
        }) {
            command.attach(console);
            line.addSubcommand(command);
        }
        return line.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Table.TERMINAL_WIDTH)
                .setOut(new PrintWriter(console.output(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.errors(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, arguments) -> reportUsage(e, console))
                .setExecutionExceptionHandler((e, command, parsed) -> report(e, console));
    }

    private static int reportUsage(ParameterException e, Console console) {
        CommandLine command = e.getCommandLine();
        String message = oneLine(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched && command.getParent() == null) {
            String first = unmatched.getUnmatched().get(0);
            if (!first.startsWith("-")) {
                message = "unknown command '" + oneLine(first) + "'; " + knownCommands(command);
            }
        }
        if (e instanceof MissingParameterException) {
            // A mistyped option: what it leaves missing is not what is wrong.
            message = command.getUnmatchedArguments().stream()
                    .filter(word -> word.startsWith("-"))
                    .findFirst()
                    .map(word -> "Unknown option: '" + oneLine(word) + "'")
                    .orElse(message);
        }
        console.complain(message + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
        return ExitCode.BAD_INPUT;
    }

    /** Says in one line what went wrong, after what was printed until then. */
    private static int report(Throwable failure, Console console) {
        console.flushQuietly();
        if (isEnding()) {
            return ExitCode.ENVIRONMENT;
        }
        if (Boolean.getBoolean(TRACE_PROPERTY)) {
            failure.printStackTrace(new PrintWriter(console.errors(), true, StandardCharsets.UTF_8));
        }
        if (failure instanceof InputException || failure instanceof BadKeysException) {
            console.complain(oneLine(failure.getMessage()));
            return ExitCode.BAD_INPUT;
        }
        if (failure instanceof Console.ReaderGoneException) {
            return ExitCode.DONE;
        }
        if (failure instanceof IOException broken) {
            console.complain(InputOutput.describe(broken));
            return ExitCode.ENVIRONMENT;
        }
        if (failure instanceof OutOfMemoryError) {
            console.complain("not enough memory: the Java heap may grow to "
                    + Numbers.bytes(Runtime.getRuntime().maxMemory())
                    + " (BESOM_JAVA_OPTIONS=-Xmx... changes that)");
            return ExitCode.ENVIRONMENT;
        }
        console.complain("unexpected failure: " + oneLine(failure.toString()) + " (BESOM_JAVA_OPTIONS=-D"
                + TRACE_PROPERTY + "=true shows where)");
        return ExitCode.ENVIRONMENT;
    }

    /** Whether the process ends already, as on Ctrl-C: what fails then because its files are gone is no news. */
    private static boolean isEnding() {
        try {
            Runtime.getRuntime().removeShutdownHook(new Thread(() -> {}));
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static String knownCommands(CommandLine root) {
        return "there are " + String.join(", ", root.getSubcommands().keySet());
    }

    private static String oneLine(@Nullable String text) {
        return text == null ? "no details" : text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    /** What stands before a command. */
    @Command(
            name = "besom",
            description = "Approximate-membership filters that clean up after their mistakes.",
            versionProvider = Version.class,
            synopsisSubcommandLabel = "COMMAND",
            exitCodeOnInvalidInput = ExitCode.BAD_INPUT,
            footer = {
                "",
                "besom COMMAND --help explains a command.",
                "",
                "besom --classpath JAR COMMAND also knows the kinds of filters in JAR, as do all commands while"
                        + " BESOM_CLASS_PATH names it. --classpath may be repeated.",
                "",
                "Exit codes: 0 done, 1 bad usage or input, 2 the environment failed (I/O, no memory)."
            })
    static final class Root implements Runnable {

        @Spec
        private @Nullable CommandSpec spec;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Show this help.")
        @SuppressWarnings("UnusedVariable") // picocli looks at the option, not at the field
        private boolean help;

        @Option(
                names = {"-V", "--version"},
                versionHelp = true,
                description = "Show the version.")
        @SuppressWarnings("UnusedVariable") // picocli looks at the option, not at the field
        private boolean version;

        @Override
        public void run() {
            CommandLine line = Objects.requireNonNull(spec).commandLine();
            throw new ParameterException(line, "no command given; " + knownCommands(line));
        }
    }

    /** The project's version as the build wrote it down. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream text = Main.class.getResourceAsStream("version.txt")) {
                String version = text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8);
                return new String[] {"besom " + version.strip()};
            }
        }
    }
}
