package dev.besom.bench.names;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** Archives as npm packs them. */
final class TestArchive {

    private TestArchive() {}

    /** Writes an archive of texts by name. */
    static Path write(Path file, Map<String, String> entries) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
                byte[] content = entry.getValue().getBytes(StandardCharsets.UTF_8);
                byte[] header = new byte[512];
                put(header, 0, entry.getKey());
                put(header, 124, String.format("%011o", content.length));
                out.write(header);
                out.write(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
            }
            out.write(new byte[1024]);
        }
        return file;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
