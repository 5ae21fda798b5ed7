package dev.besom.cli;

import dev.besom.cli.keys.KeyFile;
import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.Outcome;
import dev.besom.lab.workload.KeySource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which keys are stored: options of the commands that store some and ask for others. */
final class KeyOptions {

    @Option(
            names = "--n",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Count.OfInt.class,
            description = "How many keys are stored. Default: ${DEFAULT-VALUE}.")
    int n;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "What keys, queries and filters are drawn from. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(names = "--keys", paramLabel = "FILE", description = "Store the keys of this file instead.")
    @Nullable
    Path file;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            converter = KeyFormatConverter.class,
            description = "How keys stand in the files: lines, long-text, long-le, or pcap (the addresses, ports and"
                    + " protocol of each captured packet). Default: ${DEFAULT-VALUE}.")
    KeyFormat format = KeyFormat.LINES;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    @Mixin
    private ColumnOptions.LogOptions log = new ColumnOptions.LogOptions();

    /** A file of keys. */
    KeyFile keys(Path path) {
        return new KeyFile(path, columns.keys(format), seed);
    }

    /** A file of queries. */
    KeyFile queries(Path path) {
        return new KeyFile(path, columns.queries(format, log), seed);
    }

    /** The queries of a file that a filter learns from: the misses alone where it tells them. */
    KeySource misses(Path path) {
        KeyFile all = queries(path);
        return log.hasOutcomes() ? all.only(Outcome.MISS) : all;
    }
}
