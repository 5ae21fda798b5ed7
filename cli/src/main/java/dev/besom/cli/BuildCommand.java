package dev.besom.cli;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.Kind;
import dev.besom.PersistentFilter;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.keys.KeyFormat;
import dev.besom.lab.keys.KeyHashing;
import dev.besom.lab.keys.KeyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes a filter file from keys. Keys stream through in batches: files are read once to count them and once to insert
 * them; of keys that can be read only once the hashes wait on disk. With {@code --n} nothing is read twice.
 */
@Command(
        name = "build",
        description = {"Make a filter file from keys."},
        footer = {
            "",
            "Formats of keys:",
            "  lines      UTF-8 text, one key a line (LF or CR LF); an empty line is the empty key",
            "  long-text  64-bit whole numbers in decimal, one a line",
            "  long-le    64-bit numbers, little-endian, eight bytes each",
            "",
            "Without --n the keys are counted first. Keys that can be read only once (standard input, pipes)",
            "then wait as hashes, 8 bytes a key, in an unnamed file in the folder of FILE.",
            "",
            "Example: besom build --kind bloom --fpp 0.01 -o words.besom /usr/share/dict/words"
        })
final class BuildCommand extends BesomCommand {

    @Option(names = "--kind", required = true, paramLabel = "K", description = "The kind of filter; see besom kinds.")
    private String kindName = "";

    @Option(
            names = "--fpp",
            paramLabel = "E",
            defaultValue = "0.01",
            description = "The false-positive rate, above 0 and below 1. Default: ${DEFAULT-VALUE}.")
    private double fpp;

    @Option(names = "--n", paramLabel = "N", description = "How many keys to plan for. Default: as many as there are.")
    private @Nullable Long plannedKeys;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            converter = KeyFormatConverter.class,
            description = "How the keys stand in their files: lines, long-text or long-le. Default: lines.")
    private KeyFormat format = KeyFormat.LINES;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The seed of hasher and filter; only filters of the same seed merge. Default: Besom's own.")
    private @Nullable Long seed;

    @Option(names = "--option", paramLabel = "NAME=VALUE", description = "An option of the kind; may be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(names = "--force", description = "Replace FILE if it exists.")
    private boolean force;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where the filter goes.")
    private String output = "";

    @Parameters(arity = "1..*", paramLabel = "KEYS", description = "Files of keys; - is standard input.")
    private List<String> keyFiles = List.of();

    @Override
    void run() throws IOException {
        Kind kind = findKind();
        FilterSpec spec = spec(kind);
        Path target = FilterFiles.checkOutput(output, force);
        KeyFiles keys = new KeyFiles(keyFiles, console());
        if (keys.contains(target)) {
            throw new InputException("-o " + output + ": is one of the key files");
        }
        KeyHashing hashing = KeyHashing.seeded(format, seed == null ? KeyHasher.DEFAULT_SEED : seed);
        Filling filling = plannedKeys != null || keys.areRereadable()
                ? buildFromFiles(kind, spec, keys, hashing)
                : buildFromSpool(kind, spec, keys, hashing, Objects.requireNonNull(target.getParent()));
        FilterFiles.write(filling.filter(), hashing.stamp(), target);
        report(kind, filling, target);
    }

    private Kind findKind() {
        try {
            return Filters.kind(kindName);
        } catch (IllegalArgumentException e) {
            throw new InputException("--kind: " + e.getMessage(), e);
        }
    }

    /** What to build, checked before any key is read; its capacity is set when the number of keys is known. */
    private FilterSpec spec(Kind kind) {
        if (!(fpp > 0 && fpp < 1)) {
            throw new InputException("--fpp: must be above 0 and below 1, not " + fpp);
        }
        if (plannedKeys != null && plannedKeys < 1) {
            throw new InputException("--n: must be at least 1, not " + plannedKeys);
        }
        FilterSpec spec = new FilterSpec(1, fpp, seed == null ? 0 : seed, options);
        Filling.checkOptions(kind, spec);
        return spec;
    }

    private Filling buildFromFiles(Kind kind, FilterSpec spec, KeyFiles keys, KeyHashing hashing) throws IOException {
        long planned = plannedKeys != null ? plannedKeys : Math.max(1, keys.countKeys(format));
        Filling filling = new Filling(kind, spec.withCapacity(planned));
        try (Progress progress = new Progress(console(), "inserting", plannedKeys != null ? -1 : planned)) {
            keys.forEachBatch(format, hashing, (batch, count) -> {
                filling.insert(batch.hashes(), count);
                progress.step(count);
            });
        }
        return filling;
    }

    private Filling buildFromSpool(Kind kind, FilterSpec spec, KeyFiles keys, KeyHashing hashing, Path folder)
            throws IOException {
        try (HashSpool spool = new HashSpool(folder)) {
            try (Progress progress = new Progress(console(), "reading", -1)) {
                keys.forEachBatch(format, hashing, (batch, count) -> {
                    spool.append(batch.hashes(), count);
                    progress.step(count);
                });
            }
            long planned = Math.max(1, spool.count());
            Filling filling = new Filling(kind, spec.withCapacity(planned));
            long[] hashes = new long[KeyReader.BATCH_SIZE];
            spool.rewind();
            try (Progress progress = new Progress(console(), "inserting", planned)) {
                for (int count = spool.read(hashes); count > 0; count = spool.read(hashes)) {
                    filling.insert(hashes, count);
                    progress.step(count);
                }
            }
            return filling;
        }
    }

    private void report(Kind kind, Filling filling, Path target) throws IOException {
        PersistentFilter filter = filling.filter();
        long keys = filling.keys();
        long planned = filling.capacity();
        if (keys > planned && !kind.traits().grows()) {
            console()
                    .complain("warning: " + Numbers.whole(keys) + " keys in a filter planned for "
                            + Numbers.whole(planned) + "; its expected rate is "
                            + Numbers.percent(filter.expectedFpp()));
        }
        FilterReport report = new FilterReport(filter, Files.size(target));
        if (wantsJson()) {
            JsonWriter json = json().beginObject()
                    .field("file", output)
                    .field("kind", kind.name())
                    .field("keys", keys)
                    .field("capacity", planned)
                    .field("fpp", fpp);
            report.write(keys, json);
            json.endObject().end();
        } else {
            FilterReport.line(console(), "file", output);
            FilterReport.line(console(), "kind", kind.name());
            FilterReport.line(console(), "keys", Numbers.whole(keys));
            report.print(keys, console());
        }
    }
}
