package dev.besom.cli;

import dev.besom.LossyRemovalFilter;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.FilterFile;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Describes a filter file, which it reads whole and checks on the way. */
@Command(
        name = "info",
        description = {"Describe a filter file and check it: every byte is under a checksum."},
        footer = {"", "Example:", "  besom info --json words.besom"})
final class InfoCommand extends BesomCommand {

    @Parameters(paramLabel = "FILE", description = "The filter file, or the folder of a sharded filter.")
    private String file = "";

    @Override
    void run() throws IOException {
        if (Files.isDirectory(Paths.of(file))) {
            new FolderReport(file).report(console(), wantsJson() ? json() : null);
            return;
        }
        FilterFile read = FilterFiles.read(file);
        Kind kind = FilterFiles.kindOf(read.filter());
        long size = FilterCodec.serializedSizeInBytes(read.filter(), read.hasher());
        FilterReport report = new FilterReport(read.filter(), size);
        long count = read.filter().count();
        if (wantsJson()) {
            writeJson(read, kind, report, count);
        } else {
            print(read, kind, report, count);
        }
    }

    private void writeJson(FilterFile read, Kind kind, FilterReport report, long count) throws IOException {
        JsonWriter json = json().beginObject()
                .field("file", file)
                .field("kind", kind.name())
                .field("family", kind.family())
                .field("formatVersion", FilterCodec.FORMAT_VERSION)
                .field("checksum", "verified");
        json.name("hasher")
                .beginObject()
                .field("id", read.hasher().id())
                .field("seed", read.hasher().seed())
                .field("secret", read.hasher().isSecret())
                .endObject();
        report.write(count, json);
        if (read.filter() instanceof LossyRemovalFilter lossy) {
            json.field("removed", lossy.removedCount())
                    .field("expectedFalseNegativeRate", lossy.expectedFalseNegativeRate());
        }
        FilterReport.writeCapabilities(kind, json);
        new ImageReport(kind.form(), read.filter().image()).write(json);
        json.endObject().end();
    }

    private void print(FilterFile read, Kind kind, FilterReport report, long count) throws IOException {
        Console console = console();
        FilterReport.line(console, "file", file);
        FilterReport.line(console, "kind", kind.name() + " (" + kind.paper() + ")");
        FilterReport.line(console, "format", "version " + FilterCodec.FORMAT_VERSION + ", checksums verified");
        FilterReport.line(
                console,
                "hasher",
                read.hasher().id()
                        + (read.hasher().isSecret() ? ", check value " : ", seed ")
                        + read.hasher().seed());
        FilterReport.line(console, "count", report.count());
        report.print(count, console);
        FilterReport.line(console, "can", FilterReport.capabilities(kind));
        if (read.filter() instanceof LossyRemovalFilter lossy) {
            FilterReport.line(
                    console,
                    "removed",
                    Numbers.whole(lossy.removedCount()) + ", expected rate of false negatives "
                            + Numbers.percent(lossy.expectedFalseNegativeRate()));
        }
        if (kind.hasFalseNegatives()) {
            FilterReport.line(console, "WARNING", "after removals this kind can answer \"no\" for a key that is there");
        }
        console.print("");
        new ImageReport(kind.form(), read.filter().image()).print(console);
    }
}
