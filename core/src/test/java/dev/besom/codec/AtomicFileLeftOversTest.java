package dev.besom.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a container every process has the same number, and so the names of its temporary files. */
class AtomicFileLeftOversTest {

    private static final int MANY = 200;

    @TempDir
    Path folder = Path.of("");

    @Test
    void aFileIsWrittenBesideWhatAProcessOfTheSameNumberHasBegun() throws IOException {
        Path file = folder.resolve("keys.besom");
        List<Path> leftOver = leaveBehind(file);

        AtomicFile.check(file);
        AtomicFile.write(file, channel -> channel.write(ByteBuffer.wrap(new byte[] {2})));

        assertThat(file).hasBinaryContent(new byte[] {2});
        assertThat(leftOver).allSatisfy(path -> assertThat(path).isEmptyFile());
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(leftOver.size() + 1);
        }
    }

    /** The files that come next by their numbers. */
    private List<Path> leaveBehind(Path file) throws IOException {
        String[] name = {""};
        AtomicFile.write(file, channel -> {
            try (Stream<Path> all = Files.list(folder)) {
                name[0] = all.map(folder::relativize).findFirst().orElseThrow().toString();
            }
        });
        int from = name[0].lastIndexOf('-') + 1;
        long number = Long.parseLong(name[0].substring(from, name[0].length() - ".tmp".length()));
        List<Path> leftOver = Stream.iterate(number + 1, next -> next + 1)
                .limit(MANY)
                .map(next -> folder.resolve(name[0].substring(0, from) + next + ".tmp"))
                .toList();
        for (Path path : leftOver) {
            Files.createFile(path);
        }
        return leftOver;
    }
}
