package dev.besom.cli;

import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.distribution.ScoredKeys;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the scores of keys come from that a model of the user's own gives: a file with a line for each key, or a command that
 * makes such lines. The scores of a key must be the same whenever it is looked up; the model's name stands for that.
 */
final class ScoreOptions {

    /** Without thresholds, scores from 0 to 1 make so many classes. */
    private static final int USUAL_CLASSES = 32;

    @Option(
            names = "--scores",
            paramLabel = "F",
            description = "A file with a number for each of KEYS, one a line, in their order: what a model says of it.")
    private @Nullable String scores;

    @Option(
            names = "--model",
            paramLabel = "COMMAND",
            description = "A command that reads keys, one a line, and writes a number for each, in place of --scores.")
    private @Nullable String command;

    @Option(
            names = "--model-name",
            paramLabel = "NAME",
            defaultValue = "model",
            description = "A name that changes whenever the model does: other models are refused."
                    + " Default: ${DEFAULT-VALUE}.")
    private String name = "model";

    @Option(
            names = "--thresholds",
            paramLabel = "T",
            split = ",",
            description = "Ascending scores at which another class of keys begins, 4095 at most."
                    + " Default: 1/32, 2/32 and so on to 31/32.")
    private List<Double> thresholds = List.of();

    /** Whether keys have scores at all. */
    boolean areGiven() {
        BesomCommand.check(scores == null || command == null, "--scores: does not go with --model");
        return scores != null || command != null;
    }

    /** The option that gave them, for complaints. */
    String option() {
        return scores != null ? "--scores" : "--model";
    }

    /** That option with its value. */
    String words() {
        return scores != null ? "--scores " + scores : "--model '" + command + "'";
    }

    /** Whether a command gives the scores of any keys. */
    boolean areByCommand() {
        return command != null;
    }

    /** The model by whose scores keys are put into classes. */
    ScoredKeys.Model<Double> model(long sizeInBits) {
        List<Double> cuts = thresholds.isEmpty()
                ? IntStream.range(1, USUAL_CLASSES)
                        .mapToObj(i -> (double) i / USUAL_CLASSES)
                        .toList()
                : thresholds;
        return BesomCommand.ofOption("--thresholds", () -> ScoredKeys.Model.ofScores(name, cuts, sizeInBits));
    }

    /** The scores of KEYS. */
    ScoreLines open(KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        return scores != null ? ScoreLines.open(scores, false) : ask(keys, layout, hashing);
    }

    /** Has the command write the scores of some keys. */
    ScoreLines ask(KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        if (!keys.areRereadable()) {
            throw new InputException("--model: needs keys that can be read twice, not those of a pipe");
        }
        Path file = Files.createTempFile("besom-", ".scores");
        try {
            run(file, keys, layout, hashing);
            return ScoreLines.open(file.toString(), true);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** All scores go to a file before one is read, so that a command may write when it likes. */
    private void run(Path file, KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectOutput(file.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream out = new BufferedOutputStream(process.getOutputStream())) {
            keys.forEachBatch(layout, hashing, (batch, count) -> {
                for (int i = 0; i < count; i++) {
                    batch.writeKey(i, out);
                    out.write('\n');
                }
            });
        } catch (IOException e) {
            process.destroy();
            throw new InputException("--model: the command did not read all keys: " + InputOutput.describe(e), e);
        }
        try {
            int code = process.waitFor();
            BesomCommand.check(code == 0, "--model: the command ended with exit code " + code);
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the model was running", e);
        }
    }
}
