package dev.besom.bench.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamesArchiveTest {

    @TempDir
    Path folder = Path.of("");

    private Path archive(Map<String, String> entries) throws IOException {
        return TestArchive.write(folder.resolve("names.tgz"), entries);
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
