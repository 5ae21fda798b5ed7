package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardedFilterTest {

    @TempDir
    Path folder = Path.of("");

    private Path written() throws IOException {
        Path at = folder.resolve("keys");
        new ShardPlan("fuse", FilterSpec.of(1, 0.001), KeyHasher.utf8().stamp(), 3)
                .writeFolder(
                        at,
                        HashSource.of(IntStream.range(0, 1000)
                                .mapToLong(i -> KeyHasher.utf8().hash("key-" + i))
                                .toArray()));
        return at;
    }

    @Test
    void theFolderOfAShardedFilterIsAsked() throws IOException {
        Shell.Result result = Shell.runWith("key-1\nkey-999\nkey-5000\n", "query", written(), "-");
        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("maybe\tkey-1\nmaybe\tkey-999\nno\tkey-5000\n");
    }

    @Test
    void theFolderOfAShardedFilterIsDescribed() throws IOException {
        Shell.Result text = Shell.run("info", written());
        assertThat(text.code()).isZero();
        assertThat(text.out()).contains("fuse (", "3, checksums verified", "bytes:rapidhash3:1, seed ", "1,000");
        Shell.Result json = Shell.run("info", "--json", folder.resolve("keys"));
        assertThat(json.out()).contains("\"kind\":\"fuse\"", "\"shards\":3", "\"count\":1000");
    }

    @Test
    void aShardThatIsMissingOrCutIsNamed() throws IOException {
        Path shard = written().resolve("shard-000001.besom");
        Files.write(shard, new byte[7]);
        Shell.Result cut = Shell.runWith("key-1\n", "query", folder.resolve("keys"), "-");
        assertThat(cut.code()).isEqualTo(1);
        assertThat(cut.refusal()).contains(shard + " is cut: it has 7 of ");
        Files.delete(shard);
        assertThat(Shell.run("info", folder.resolve("keys")).refusal()).contains(shard + " is missing");
    }

    @Test
    void aFolderThatIsNoShardedFilterIsNamed() {
        assertThat(Shell.run("info", folder).refusal()).contains(folder + ": is a folder", "manifest.besom");
        assertThat(Shell.runWith("a\n", "query", folder, "-").refusal()).contains(folder + ": is a folder");
    }
}
