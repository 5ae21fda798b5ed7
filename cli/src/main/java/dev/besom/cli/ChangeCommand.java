package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.filters.FilterFile;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Changes a filter file: reads it, changes the filter, and puts a new file in its place, whole or not at all. The file is locked
 * meanwhile, so that of two commands at once the second one changes what the first one wrote.
 */
abstract class ChangeCommand extends BesomCommand {

    @Mixin
    private LayoutOptions layouts = new LayoutOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The filter file.")
    private String file = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEYS",
            description = "Files of keys; - is standard input.")
    private List<String> keyFiles = List.of();

    private long keys;
    private long changed;

    /**
     * A filter file that is about to be changed.
     *
     * @param file as the user names it
     * @param layout how files of keys stand
     * @param hashing how keys become the filter's hashes
     */
    record Opened(PersistentFilter filter, String file, KeyLayout layout, KeyHashing hashing) {}

    /**
     * What is done with each hash; the answer is whether that changed something.
     *
     * @throws InputException if filters of the kind cannot do it
     */
    abstract LongPredicate change(Opened opened) throws IOException;

    /** What has become of a key that changed something: a word. */
    abstract String changedWord();

    @Override
    final void run() throws IOException {
        KeyFiles source = new KeyFiles(keyFiles, console());
        Path target = FilterFiles.checkChangeable(file);
        if (source.contains(target)) {
            throw new InputException(file + ": is one of the key files");
        }
        try (LockedFile locked = LockedFile.lock(target)) {
            FilterFile read = FilterFiles.read(file, locked);
            change(read, source);
            FilterFiles.write(read.filter(), read.hasher(), locked.path());
            report(read.filter(), Files.size(target));
        }
    }

    private void change(FilterFile read, KeyFiles source) throws IOException {
        KeyHashing hashing = KeyHashing.of(read.hasher(), file);
        KeyLayout layout = layouts.of(hashing, file);
        LongPredicate change = change(new Opened(read.filter(), file, layout, hashing));
        try (Progress progress = new Progress(console(), "changing", -1)) {
            source.forEachBatch(layout, hashing, (batch, count) -> {
                for (int i = 0; i < count; i++) {
                    changed += change.test(batch.hashes()[i]) ? 1 : 0;
                }
                keys += count;
                progress.step(count);
            });
        } catch (FilterFullException e) {
            throw new InputException(file + ": has no room for so many keys, and is unchanged: " + e.getMessage(), e);
        }
    }

    private void report(PersistentFilter filter, long size) throws IOException {
        FilterReport report = new FilterReport(filter, size);
        String kind = FilterFiles.kindOf(filter).name();
        if (wantsJson()) {
            JsonWriter json = json().beginObject().field("file", file).field("kind", kind);
            json.field("keys", keys).field(changedWord(), changed);
            report.write(filter.count(), json);
            json.endObject().end();
        } else {
            FilterReport.line(console(), "file", file);
            FilterReport.line(console(), "kind", kind);
            FilterReport.line(
                    console(),
                    "keys",
                    Numbers.whole(keys) + ", " + Numbers.whole(changed) + " of them " + changedWord());
            FilterReport.line(console(), "count", report.count());
            report.print(filter.count(), console());
        }
    }
}
