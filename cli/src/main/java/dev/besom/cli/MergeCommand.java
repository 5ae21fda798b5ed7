package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.MergeableFilter;
import dev.besom.filters.FilterFile;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Unites filter files. At most two filters are in memory at a time. */
@Command(
        name = "merge",
        description = {"Unite filter files of the same kind, shape, seed and hasher into one."},
        footer = {
            "",
            "Filters that were built with the same --n, --fpp, --seed and --option have the same shape; without --n the"
                    + " shape follows from the number of keys.",
            "",
            "Example:",
            "  besom merge -o all.besom monday.besom tuesday.besom"
        })
final class MergeCommand extends BesomCommand {

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where the union goes.")
    private String output = "";

    @Option(names = "--force", description = "Replace FILE if it exists; it may be one of the files to unite.")
    private boolean force;

    @Parameters(arity = "1..*", paramLabel = "FILTERS", description = "The filter files to unite, two or more.")
    private List<String> files = List.of();

    @Override
    void run() throws IOException {
        if (files.size() < 2) {
            throw refuse("FILTERS: there must be two files or more to unite, not only " + files.get(0));
        }
        Path target = FilterFiles.checkOutput(output, force);
        String firstName = files.get(0);
        FilterFile first = FilterFiles.read(firstName);
        Kind kind = FilterFiles.kindOf(first.filter());
        if (!(first.filter() instanceof MergeableFilter union)) {
            throw new InputException(firstName + ": filters of kind " + kind.name() + " cannot be united");
        }
        for (String name : files.subList(1, files.size())) {
            mergeFrom(name, union, first, kind);
        }
        FilterFiles.write(first.filter(), first.hasher(), target);
        report(first, kind, Files.size(target));
    }

    private void mergeFrom(String name, MergeableFilter union, FilterFile first, Kind kind) throws IOException {
        FilterFile next = FilterFiles.read(name);
        Kind nextKind = FilterFiles.kindOf(next.filter());
        if (!nextKind.equals(kind) || !(next.filter() instanceof MergeableFilter other)) {
            throw refuseMerge(name, "their kinds are " + kind.name() + " and " + nextKind.name());
        }
        if (!next.hasher().id().equals(first.hasher().id())) {
            throw refuseMerge(
                    name,
                    "their hashers are " + first.hasher().id() + " and "
                            + next.hasher().id());
        }
        if (next.hasher().seed() != first.hasher().seed()) {
            throw refuseMerge(
                    name,
                    "their hashers' seeds are " + first.hasher().seed() + " and "
                            + next.hasher().seed());
        }
        try {
            union.mergeFrom(other);
        } catch (IllegalArgumentException e) {
            throw refuseMerge(
                    name, e.getMessage() + " (filters built with the same --n, --fpp, --seed and --option can be)");
        } catch (FilterFullException e) {
            throw refuseMerge(name, e.getMessage());
        }
    }

    private InputException refuseMerge(String name, @Nullable String why) {
        return new InputException(files.get(0) + " and " + name + " cannot be united: " + why);
    }

    private void report(FilterFile union, Kind kind, long size) throws IOException {
        FilterReport report = new FilterReport(union.filter(), size);
        long count = union.filter().count();
        if (wantsJson()) {
            JsonWriter json = json().beginObject()
                    .field("file", output)
                    .field("kind", kind.name())
                    .field("merged", files.size());
            report.write(count, json);
            json.endObject().end();
        } else {
            FilterReport.line(console(), "file", output);
            FilterReport.line(console(), "kind", kind.name());
            FilterReport.line(console(), "merged", files.size() + " files");
            FilterReport.line(console(), "count", report.count());
            report.print(count, console());
        }
    }
}
