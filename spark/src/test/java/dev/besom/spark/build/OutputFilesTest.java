package dev.besom.spark.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {

    private final OutputFiles files = new OutputFiles(new Configuration(false));

    @TempDir
    Path folder = Path.of("");

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
    }

    private void write(String name) throws IOException {
        files.write(path(name), out -> {
            out.write(1);
            return name;
        });
    }

    /** As a task does that is still running when its build has failed and the driver has taken the folder away. */
    @Test
    void aFileDoesNotBringBackAFolderThatIsGone() throws IOException {
        files.begin(path("ids"));
        write("ids/a");
        files.delete(path("ids"));
        assertThatThrownBy(() -> write("ids/b")).isInstanceOf(FileNotFoundException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void ofTwoWhoBeginAFolderOneFails() throws IOException {
        files.begin(path("ids"));
        assertThatThrownBy(() -> files.begin(path("ids"))).isInstanceOf(FileAlreadyExistsException.class);
    }

    /** The working folder of an executor is not that of the driver. */
    @Test
    void aQualifiedPathMeansTheSameInEveryFolder() throws IOException {
        assertThat(files.qualified(new org.apache.hadoop.fs.Path("ids")).toString())
                .isEqualTo("file:" + Path.of("ids").toAbsolutePath());
    }

    @Test
    void nothingIsWrittenOver() throws IOException {
        write("a");
        write("b");
        assertThatThrownBy(() -> write("a")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.rename(path("a"), path("b"))).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.size(folder.resolve("b"))).isEqualTo(1);
    }
}
