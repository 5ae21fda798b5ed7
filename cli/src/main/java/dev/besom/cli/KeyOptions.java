package dev.besom.cli;

import dev.besom.cli.keys.KeyFormat;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
}
