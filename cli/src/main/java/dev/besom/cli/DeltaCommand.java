package dev.besom.cli;

import dev.besom.HashSource;
import dev.besom.bloomier.ExactList;
import dev.besom.bloomier.ListPatch;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.codec.AtomicFile;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.FilterFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the patch that brings a list to the next version of its keys. */
@Command(
        name = "delta",
        description = {"Make a patch that brings an exact list to the next version of its keys."},
        footer = {
            "",
            "The patch holds 65 bits for each key that the list answers otherwise than the new version asks for. Keys that"
                    + " have left the list have to be in --no. besom patch applies it.",
            "",
            "Example:",
            "  besom delta list.besom --yes blocked-2.txt --no allowed-2.txt -o list-2.patch"
        })
final class DeltaCommand extends BesomCommand {

    @Mixin
    private LayoutOptions layouts = new LayoutOptions();

    @Option(
            names = "--yes",
            required = true,
            paramLabel = "F",
            description = "A file of all keys of the new version; may be repeated.")
    private List<String> yes = List.of();

    @Option(
            names = "--no",
            paramLabel = "F",
            description = "A file of all keys that are not in it and must be answered \"no\"; may be repeated.")
    private List<String> no = List.of();

    @Option(names = "--force", description = "Replace PATCH if it exists.")
    private boolean force;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "PATCH",
            description = "Where the patch goes.")
    private String output = "";

    @Parameters(paramLabel = "FILE", description = "The list as it is.")
    private String file = "";

    @Override
    void run() throws IOException {
        Path target = FilterFiles.checkOutput(output, force);
        FilterFile read = FilterFiles.read(file);
        ExactList list = PatchCommand.listOf(read, file);
        KeyHashing hashing = KeyHashing.of(read.hasher(), file);
        KeyLayout layout = layouts.of(hashing, file);
        long[] listed = GatheredKeys.hashes(new KeyFiles(yes, console()), layout, hashing);
        long[] others = GatheredKeys.others(new KeyFiles(no, console()), layout, hashing, listed);
        ListPatch patch = ofOption("--no", () -> ListPatch.between(list, HashSource.of(listed), HashSource.of(others)));
        AtomicFile.write(
                target, channel -> FilterCodec.write(patch.image(), read.hasher(), Channels.newOutputStream(channel)));
        if (wantsJson()) {
            json().beginObject()
                    .field("file", output)
                    .field("list", file)
                    .field("changes", patch.changeCount())
                    .field("fileSizeInBytes", Files.size(target))
                    .endObject()
                    .end();
        } else {
            FilterReport.line(console(), "file", output);
            FilterReport.line(console(), "list", file);
            FilterReport.line(console(), "changes", Numbers.whole(patch.changeCount()));
            FilterReport.line(console(), "file size", Numbers.bytes(Files.size(target)));
        }
    }
}
