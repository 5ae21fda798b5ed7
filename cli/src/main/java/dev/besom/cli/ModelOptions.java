package dev.besom.cli;

import dev.besom.cli.keys.KeyFile;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.lab.race.ModelClasses;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A model of the user's own, for commands that try filters on files of keys and queries. */
final class ModelOptions {

    @Mixin
    private ScoreOptions scores = new ScoreOptions();

    @Option(
            names = "--query-scores",
            paramLabel = "F",
            description = "With --scores: a file of the scores of the keys of --queries-file.")
    private @Nullable String queryScores;

    @Option(
            names = "--model-size",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description = "With --scores or --model: what the model takes, which counts as the filters' memory.")
    private @Nullable MemorySize size;

    /** Whether there is a model; checks what goes with it. */
    boolean isGiven() {
        if (!scores.areGiven()) {
            BesomCommand.check(
                    queryScores == null && size == null, "--query-scores, --model-size: go with --scores or --model");
            return false;
        }
        BesomCommand.check(
                scores.areByCommand() == (queryScores == null),
                "--query-scores: is needed with --scores, and only with it");
        BesomCommand.check(size != null, option() + ": needs --model-size, the bytes that the model takes");
        return true;
    }

    /** The option that gave it, for complaints. */
    String option() {
        return scores.option();
    }

    /** Whether a command gives the scores of any keys. */
    boolean isCommand() {
        return scores.areByCommand();
    }

    /** The words that give the model to {@code besom build}, for which the queries are the sample. */
    String words() {
        return scores.words()
                + (queryScores == null ? "" : " --sample-scores " + queryScores)
                + (size == null ? "" : " --model-size " + size.bytes());
    }

    /** What the model says of the keys and the queries. */
    ModelClasses read(KeyFile keys, KeyFile queries, Console console) throws IOException {
        ModelClasses classes = new ModelClasses(scores.model(size == null ? 0 : size.bits()));
        KeyFiles files = files(keys, console);
        KeyHashing hashing = hashing(keys);
        try (ScoreLines lines = scores.open(files, keys.layout(), hashing)) {
            add(classes, keys, files, lines);
        }
        addMore(classes, queries, queryScores, console);
        return classes;
    }

    /**
     * Adds what the model says of other keys.
     *
     * @param file of their scores; null where a command gives them
     */
    void addMore(ModelClasses classes, KeyFile keys, @Nullable String file, Console console) throws IOException {
        KeyFiles files = files(keys, console);
        try (ScoreLines lines =
                file == null ? scores.ask(files, keys.layout(), hashing(keys)) : ScoreLines.open(file, false)) {
            add(classes, keys, files, lines);
        }
    }

    private void add(ModelClasses classes, KeyFile keys, KeyFiles files, ScoreLines lines) throws IOException {
        files.forEachBatch(keys.layout(), hashing(keys), (batch, count) -> {
            for (int i = 0; i < count; i++) {
                long hash = batch.hashes()[i];
                double score = lines.next();
                BesomCommand.ofOption(option(), () -> {
                    classes.add(hash, score);
                    return true;
                });
            }
        });
        lines.requireEnd();
    }

    private static KeyFiles files(KeyFile keys, Console console) {
        return new KeyFiles(List.of(keys.path().toString()), console);
    }

    private static KeyHashing hashing(KeyFile keys) {
        return KeyHashing.seeded(keys.layout().format(), keys.seed());
    }
}
