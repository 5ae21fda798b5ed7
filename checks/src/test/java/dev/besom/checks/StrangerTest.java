package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The README alone leads from a clone to a guarded table, in less than ten minutes. */
class StrangerTest {

    @Test
    @Tag("thorough")
    void whoFollowsTheReadmeHasAGuardedTableInTenMinutes() throws IOException, InterruptedException {
        Process script = new ProcessBuilder(Path.of("..", ".ci", "stranger").toString())
                .inheritIO()
                .start();
        assertThat(script.waitFor()).isZero();
    }
}
