package dev.besom.cli;

import dev.besom.MalformedFilterException;
import dev.besom.bloomier.ExactList;
import dev.besom.bloomier.ListPatch;
import dev.besom.codec.FilterCodec;
import dev.besom.codec.ImageFile;
import dev.besom.filters.FilterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Applies a patch to a list, whole or not at all. */
@Command(
        name = "patch",
        description = {"Apply a patch to an exact list, whole or not at all."},
        footer = {
            "",
            "A patch fits the one list that it was made for; any other is left as it is.",
            "",
            "Example:",
            "  besom patch list.besom list-2.patch"
        })
final class PatchCommand extends BesomCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "The list, which is replaced.")
    private String file = "";

    @Parameters(index = "1", paramLabel = "PATCH", description = "The patch, made by besom delta.")
    private String patchFile = "";

    @Override
    void run() throws IOException {
        Path target = FilterFiles.checkChangeable(file);
        ImageFile patchImage = readPatch();
        try (LockedFile locked = LockedFile.lock(target)) {
            FilterFile read = FilterFiles.read(file, locked);
            ExactList list = listOf(read, file);
            ListPatch patch = patchOf(patchImage);
            check(patchImage.hasher().equals(read.hasher()), patchFile + ": is for keys of another hasher");
            ExactList patched = ofOption(patchFile, () -> patch.applyTo(list));
            FilterFiles.write(patched, read.hasher(), locked.path());
            report(patch, patched, Files.size(target));
        }
    }

    /** The list of a file. */
    static ExactList listOf(FilterFile read, String name) {
        if (read.filter() instanceof ExactList list) {
            return list;
        }
        throw new InputException(
                name + ": is of the kind " + FilterFiles.kindOf(read.filter()).name() + "; patches are for exact-list");
    }

    private ImageFile readPatch() throws IOException {
        try {
            return FilterCodec.read(Paths.of(patchFile));
        } catch (NoSuchFileException e) {
            throw new InputException(patchFile + ": no such file", e);
        } catch (MalformedFilterException e) {
            throw new InputException(patchFile + ": not a whole patch: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(patchFile + ": " + InputOutput.describe(e), e);
        }
    }

    private ListPatch patchOf(ImageFile image) {
        try {
            return ListPatch.read(image.image());
        } catch (MalformedFilterException e) {
            throw new InputException(patchFile + ": not a patch: " + e.getMessage(), e);
        }
    }

    private void report(ListPatch patch, ExactList list, long size) throws IOException {
        FilterReport report = new FilterReport(list, size);
        if (wantsJson()) {
            JsonWriter json = json().beginObject().field("file", file).field("changes", patch.changeCount());
            report.write(list.count(), json);
            json.endObject().end();
        } else {
            FilterReport.line(console(), "file", file);
            FilterReport.line(console(), "changes", Numbers.whole(patch.changeCount()));
            report.print(list.count(), console());
        }
    }
}
