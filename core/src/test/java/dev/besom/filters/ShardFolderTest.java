package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LongKeyFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MembershipFilter;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.Rates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardFolderTest {

    private static final LongHasher HASHER = KeyHasher.longs(11);
    private static final double RATE = 1.0 / 64;

    @TempDir
    Path folder = Path.of("");

    static Stream<String> kinds() {
        return Filters.kinds().stream().map(Kind::name);
    }

    private static ShardPlan plan(String kind, int shards) {
        return new ShardPlan(kind, FilterSpec.of(1, RATE), HASHER.stamp(), shards);
    }

    private static long[] hashes(long from, long to) {
        return LongStream.range(from, to).map(HASHER::hash).toArray();
    }

    private Path written(String kind, int shards) throws IOException {
        Path at = folder.resolve(kind + "-" + shards);
        plan(kind, shards).writeFolder(at, HashSource.of(hashes(0, 1500)));
        return at;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noKeyOfAnyKindIsLostInShards(String kind) throws IOException {
        ShardFolder opened = ShardFolder.open(written(kind, 5));
        assertThat(opened.manifest().count()).isEqualTo(1500);
        MembershipFilter whole = opened.readHashFilter();
        assertThat(whole.count()).isEqualTo(1500);
        PersistentFilter second = opened.readShard(1).filter();
        for (long hash : hashes(0, 1500)) {
            assertThat(whole.mightContainHash(hash)).isTrue();
            if (opened.shardOf(hash) == 1) {
                assertThat(second.mightContainHash(opened.localHash(hash))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aShardsBytesDoNotDependOnTheOrderNorOnRepetitions(String kind) throws IOException {
        ShardPlan plan = plan(kind, 3);
        long[] inOrder = Arrays.stream(hashes(0, 3000))
                .filter(hash -> plan.shardOf(hash) == 2)
                .toArray();
        long[] turned = new long[2 * inOrder.length];
        for (int i = 0; i < inOrder.length; i++) {
            turned[turned.length - 1 - i] = inOrder[i];
            turned[i] = inOrder[i];
        }
        assertThat(bytes(plan, turned)).isEqualTo(bytes(plan, inOrder));
    }

    private static byte[] bytes(ShardPlan plan, long[] hashes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        plan.write(plan.build(hashes, hashes.length), out);
        return out.toByteArray();
    }

    @Test
    void theRateIsThatOfOneFilter() throws IOException {
        plan("fuse", 7).writeFolder(folder.resolve("f"), HashSource.of(hashes(0, 20_000)));
        LongKeyFilter filter = ShardFolder.open(folder.resolve("f")).read(HASHER);
        int asked = 200_000;
        long maybe = LongStream.range(1_000_000, 1_000_000 + asked)
                .filter(filter::mightContain)
                .count();
        Rates.assertRate(11, maybe, asked, filter.expectedFpp());
        assertThat(filter.expectedFpp()).isLessThanOrEqualTo(RATE);
    }

    @Test
    void shardsWithoutKeysAnswerNo() throws IOException {
        plan("fuse", 64).writeFolder(folder.resolve("f"), HashSource.of(HASHER.hash(1)));
        LongKeyFilter filter = ShardFolder.open(folder.resolve("f")).read(HASHER);
        assertThat(filter.mightContain(1)).isTrue();
        assertThat(LongStream.range(2, 100).filter(filter::mightContain).count())
                .isLessThan(10);
    }

    @Test
    void theSmallestAndTheLargestHashHaveAShard() {
        ShardPlan plan = plan("bloom", 1_000_000);
        assertThat(plan.shardOf(0)).isZero();
        assertThat(plan.shardOf(-1L)).isEqualTo(999_999);
        assertThat(plan.shardOf(Long.MAX_VALUE)).isEqualTo(499_999);
        assertThat(plan.shardOf(Long.MIN_VALUE)).isEqualTo(500_000);
    }

    @Test
    void localHashesKeepTheirOrder() {
        ShardPlan plan = plan("bloom", 3);
        long[] ofOne = LongStream.of(hashes(0, 2000))
                .filter(hash -> plan.shardOf(hash) == 1)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        for (int i = 1; i < ofOne.length; i++) {
            assertThat(Long.compareUnsigned(plan.localHash(ofOne[i - 1]), plan.localHash(ofOne[i])))
                    .isNegative();
        }
    }

    @Test
    void aSourceThatChangesBetweenPassesIsRefusedBeforeOtherKeysGetLost() {
        long[] before = hashes(0, 1500);
        long[] after = hashes(100, 1600);
        int[] passes = {0};
        HashSource changing = HashSource.of(
                before.length,
                () -> Arrays.stream(passes[0]++ == 0 ? before : after).iterator());
        Path at = folder.resolve("changing");
        assertThatThrownBy(() -> plan("fuse", 5).writeFolder(at, changing)).isInstanceOf(IllegalStateException.class);
        assertThat(ShardFolder.isAt(at)).isFalse();
    }

    @Test
    void aFolderThatExistsIsRefused() {
        assertThatThrownBy(() -> plan("bloom", 2).writeFolder(folder, HashSource.of(1)))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining(folder.toString());
    }

    @Test
    void aFolderWithoutAManifestIsNoFilter() throws IOException {
        Path at = written("fuse", 2);
        Files.delete(at.resolve(ShardManifest.FILE_NAME));
        assertThatThrownBy(() -> ShardFolder.open(at))
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining(at.resolve("manifest.besom") + " is missing");
    }

    @Test
    void everyBitOfTheManifestIsChecked() throws IOException {
        Path at = written("fuse", 2);
        byte[] right = Files.readAllBytes(at.resolve(ShardManifest.FILE_NAME));
        for (int i = 0; i < right.length * 8; i += 3) {
            byte[] wrong = right.clone();
            wrong[i / 8] ^= (byte) (1 << i % 8);
            assertThatThrownBy(() -> ShardManifest.read(new ByteArrayInputStream(wrong)))
                    .isInstanceOf(MalformedFilterException.class);
        }
        for (int length = 0; length < right.length; length++) {
            byte[] cut = Arrays.copyOf(right, length);
            assertThatThrownBy(() -> ShardManifest.read(new ByteArrayInputStream(cut)))
                    .isInstanceOf(MalformedFilterException.class);
        }
    }

    @Test
    void aFilterFileIsNoManifest() throws IOException {
        Path at = written("fuse", 2);
        Files.copy(at.resolve("shard-000001.besom"), folder.resolve("manifest.besom"));
        assertThatThrownBy(() -> ShardFolder.open(folder))
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining("manifest.besom: not a whole manifest")
                .hasMessageContaining("of the kind fuse, no manifest");
    }

    @Test
    void aMissingShardIsNamed() throws IOException {
        Path at = written("fuse", 3);
        Path shard = at.resolve("shard-000001.besom");
        Files.delete(shard);
        assertRefused(at, shard + " is missing");
    }

    @Test
    void aShardThatIsCutIsNamed() throws IOException {
        Path at = written("fuse", 3);
        Path shard = at.resolve("shard-000002.besom");
        byte[] right = Files.readAllBytes(shard);
        for (int length : List.of(0, 5, 40, right.length - 1)) {
            Files.write(shard, Arrays.copyOf(right, length));
            assertRefused(at, shard + " is cut: it has " + length + " of " + right.length + " bytes");
        }
        Files.write(shard, Arrays.copyOf(right, right.length + 1));
        assertRefused(at, shard + " is not the file that the manifest means");
    }

    @Test
    void aShardOfAnotherFilterIsNamed() throws IOException {
        Path at = written("bloom", 3);
        Path other = folder.resolve("other");
        plan("bloom", 3).writeFolder(other, HashSource.of(hashes(1, 1501)));
        for (int i = 0; i < 3; i++) {
            String name = ShardManifest.fileName(i);
            byte[] right = Files.readAllBytes(at.resolve(name));
            Files.write(at.resolve(name), Files.readAllBytes(other.resolve(name)));
            if (!Arrays.equals(right, Files.readAllBytes(at.resolve(name)))) {
                assertThatThrownBy(() -> ShardFolder.open(at).readHashFilter())
                        .isInstanceOf(MalformedFilterException.class)
                        .hasMessageContaining(name);
            }
            Files.write(at.resolve(name), right);
        }
        Files.move(at.resolve("shard-000000.besom"), at.resolve("x"));
        Files.move(at.resolve("shard-000001.besom"), at.resolve("shard-000000.besom"));
        Files.move(at.resolve("x"), at.resolve("shard-000001.besom"));
        assertThatThrownBy(() -> ShardFolder.open(at).readHashFilter())
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining("shard-000000.besom");
    }

    /** With equal lengths and headers only the digest can tell shards of one Bloom filter apart. */
    @Test
    void aShardWithTheSameHeaderAndRightChecksumsIsStillForeign() throws IOException {
        ShardPlan plan = plan("bloom", 1);
        Path at = folder.resolve("a");
        plan.writeFolder(at, HashSource.of(1L << 40, 2L << 40));
        Path other = folder.resolve("b");
        plan.writeFolder(other, HashSource.of(3L << 40, 5L << 40));
        Path shard = at.resolve("shard-000000.besom");
        assertThat(Files.size(shard)).isEqualTo(Files.size(other.resolve("shard-000000.besom")));
        Files.write(shard, Files.readAllBytes(other.resolve("shard-000000.besom")));
        assertRefused(at, shard + " is not the file that the manifest means");
    }

    private static void assertRefused(Path at, String message) {
        assertThatThrownBy(() -> ShardFolder.open(at).readHashFilter())
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anotherHasherIsRefused() throws IOException {
        Path at = written("fuse", 2);
        assertThatThrownBy(() -> ShardFolder.open(at).read(KeyHasher.longs(12)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(at.toString())
                .hasMessageContaining("12");
        assertThatThrownBy(() -> ShardFolder.open(at).read(KeyHasher.utf8(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bytes:");
    }

    @Test
    void theManifestsBytesAreFrozen() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ShardManifest(
                        "k",
                        new HasherStamp("h", 2),
                        List.of(new ShardManifest.Entry(3, 4, "0123456789abcdef".repeat(4))))
                .writeTo(out);
        assertThat(HexFormat.of().formatHex(out.toByteArray()))
                .isEqualTo(
                        "4245534f4d0d0a1a0100380009736861726465643a6b016802000000000000000100010000000000000001000600"
                                + "0000000000003b2ecf1003000000000000000400000000000000efcdab8967452301efcdab8967452301efcdab89"
                                + "67452301efcdab896745230152c36bb3");
    }
}
