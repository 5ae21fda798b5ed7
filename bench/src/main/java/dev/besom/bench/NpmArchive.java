package dev.besom.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Packages of npm, which programs take their data from: fetched by npm itself, and not kept. */
public final class NpmArchive {

    private static final int TAR_BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_OFFSET = 124;
    private static final int SIZE_LENGTH = 12;

    private NpmArchive() {}

    /** What is done with an archive. */
    @FunctionalInterface
    public interface Use {
        /** Uses the archive, a gzipped tar file. */
        void use(Path archive) throws IOException;
    }

    /**
     * Uses an archive that is there already, or has npm fetch it.
     *
     * @param arguments of a program: the path of the archive, or none
     * @param name of the package, with a version if it matters
     * @throws IOException if npm is not there or does not get the package; the message says what to do
     */
    public static void use(String[] arguments, String name, Use use) throws IOException, InterruptedException {
        if (arguments.length > 0) {
            use.use(Path.of(arguments[0]));
            return;
        }
        Path folder = Files.createTempDirectory("besom-npm");
        try {
            use.use(fetch(folder, name));
        } finally {
            delete(folder);
        }
    }

    private static Path fetch(Path folder, String name) throws IOException, InterruptedException {
        String advice = "; name an archive made by npm pack " + name + " as the argument";
        try {
            Process npm = new ProcessBuilder("npm", "pack", "--silent", name)
                    .directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (npm.waitFor() != 0) {
                throw new IOException("npm could not fetch the package" + advice);
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + advice, e);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".tgz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("npm left no archive" + advice));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** A stream that begins with an entry of an archive, and goes on with what follows. */
    public static InputStream open(Path archive, String entry) throws IOException {
        InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16), 1 << 16);
        try {
            seek(in, entry);
            return in;
        } catch (IOException e) {
            in.close();
            throw new IOException(archive + ": " + e.getMessage(), e);
        }
    }

    /** All of a small entry of an archive. */
    public static String text(Path archive, String entry) throws IOException {
        try (InputStream in =
                new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16), 1 << 16)) {
            return new String(in.readNBytes(seek(in, entry)), StandardCharsets.UTF_8);
        }
    }

    /** Reads up to the first byte of an entry; returns its length. */
    private static int seek(InputStream in, String entry) throws IOException {
        byte[] header = new byte[TAR_BLOCK];
        while (in.readNBytes(header, 0, TAR_BLOCK) == TAR_BLOCK && header[0] != 0) {
            long length = Long.parseLong(field(header, SIZE_OFFSET, SIZE_LENGTH).strip(), 8);
            if (field(header, 0, NAME_LENGTH).equals(entry)) {
                return (int) Math.min(Integer.MAX_VALUE, length);
            }
            in.skipNBytes((length + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
        }
        throw new IOException("no " + entry + " in it");
    }

    private static String field(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.US_ASCII);
    }
}
