package dev.besom.bench.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamesArchiveTest {

    @TempDir
    Path folder = Path.of("");

    private Path archive(Map<String, String> entries) throws IOException {
        Path file = folder.resolve("names.tgz");
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

    @Test
    void namesAreReadWithTheirWeightsFromBehindOtherEntries() throws IOException {
        NamesArchive names = NamesArchive.read(
                archive(Map.of(
                        "a/README.md",
                        "x".repeat(700),
                        "b/counts.json",
                        "{ \"left\": 3,\n\"rig\\\"ht\": 5, \"nobody\":0, \"nothing\":null,\"é\" : 2.5e3 }")),
                "b/counts.json");
        assertThat(names.size()).isEqualTo(2);
        assertThat(names.hash(0)).isEqualTo(KeyHasher.utf8().hash("left"));
        assertThat(names.weight(0)).isEqualTo(3);
        assertThat(names.hash(1)).isEqualTo(KeyHasher.utf8().hash("é"));
        assertThat(names.weight(1)).isEqualTo(2500);
    }

    @Test
    void anArchiveOfOtherThingsIsRefused() throws IOException {
        Path file = archive(Map.of("a", "[1, 2]", "b", "{\"x\": 1", "c", "{}"));
        assertThatThrownBy(() -> NamesArchive.read(file, "z"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no z in it");
        assertThatThrownBy(() -> NamesArchive.read(file, "a")).isInstanceOf(IOException.class);
        assertThat(NamesArchive.read(file, "c").size()).isZero();
    }
}
