package dev.besom.cli;

import dev.besom.codec.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** A text file that a command writes: whole or not at all, and never over an existing one unless told so. */
final class OutputFile {

    private final String name;
    private final Path path;

    private OutputFile(String name, Path path) {
        this.name = name;
        this.path = path;
    }

    /**
     * The file of that name, after a look at whether it may be written: before the work, which may take hours.
     *
     * @throws IOException if its folder takes no new file
     */
    static OutputFile check(String option, String name, boolean force) throws IOException {
        if (name.equals("-")) {
            throw new InputException(option + " -: is written to a file, not to standard output");
        }
        Path path = Paths.of(name).toAbsolutePath();
        Path folder = path.getParent();
        if (folder == null || Files.isDirectory(path)) {
            throw new InputException(option + " " + name + ": is a folder");
        }
        if (!Files.isDirectory(folder)) {
            throw new InputException(option + " " + name + ": there is no folder " + folder);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !force) {
            throw new InputException(option + " " + name + ": exists already; --force replaces it");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new InputException(option + " " + name + ": is not a regular file");
        }
        OutputFile file = new OutputFile(name, path);
        file.onTarget(AtomicFile::check);
        return file;
    }

    /** As the user wrote it. */
    String name() {
        return name;
    }

    void write(String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        onTarget(target -> AtomicFile.write(target, channel -> {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }));
    }

    /** What is done with the file itself, not with a link to it. */
    @FunctionalInterface
    private interface Work {
        void run(Path target) throws IOException;
    }

    private void onTarget(Work work) throws IOException {
        try {
            work.run(Files.exists(path) ? path.toRealPath() : path);
        } catch (IOException e) {
            throw new IOException("cannot write " + name + ": " + InputOutput.describe(e), e);
        }
    }
}
