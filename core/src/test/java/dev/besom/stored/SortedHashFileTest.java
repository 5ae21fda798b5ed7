package dev.besom.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedHashFileTest {

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("hashes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 511, 512, 513, 1024, 5000, 100_000})
    void givesTheRangesThatWereWritten(int size) throws IOException {
        SplittableRandom random = new SplittableRandom(size);
        long[] given = random.longs(size).toArray();
        for (int i = 0; i < Math.min(4, size); i++) {
            given[i] = new long[] {-1, 0, Long.MIN_VALUE, Long.MAX_VALUE}[i];
        }
        MemoryHashes model = MemoryHashes.of(given);
        SortedHashFile.write(file(), given);
        assertThat(Files.size(file())).isEqualTo(32 + 8L * size);
        try (SortedHashFile file = SortedHashFile.open(file())) {
            assertThat(file.count()).isEqualTo(size);
            assertThat(file.between(0, -1)).isEqualTo(model.between(0, -1));
            for (int i = 0; i < 500; i++) {
                long lo = size > 0 && random.nextBoolean() ? given[random.nextInt(size)] : random.nextLong();
                long hi = random.nextInt(3) == 0 ? random.nextLong() : lo + (random.nextLong() >>> random.nextInt(64));
                assertThat(file.between(lo, hi)).isEqualTo(model.between(lo, hi));
                assertThat(file.between(lo, lo)).isEqualTo(model.between(lo, lo));
            }
        }
    }

    @Test
    void equalHashesAcrossPagesAreAllGiven() throws IOException {
        long[] given = new long[3000];
        Arrays.fill(given, 100, 2500, Long.MIN_VALUE);
        Arrays.fill(given, 2500, 3000, -1);
        SortedHashFile.write(file(), given);
        try (SortedHashFile file = SortedHashFile.open(file())) {
            assertThat(file.between(0, 0)).hasSize(100);
            assertThat(file.between(Long.MIN_VALUE, Long.MIN_VALUE)).hasSize(2400);
            assertThat(file.between(-1, -1)).hasSize(500);
            assertThat(file.between(1, -2)).hasSize(2400);
            assertThat(file.between(-1, 0)).isEmpty();
        }
    }

    @Test
    void aFileTakesThePlaceOfAnOlderOneAndLeavesNothingElse() throws IOException {
        SortedHashFile.write(file(), 1, 2, 3);
        SortedHashFile.write(file(), 4);
        try (SortedHashFile file = SortedHashFile.open(file());
                Stream<Path> files = Files.list(folder)) {
            assertThat(file.between(0, -1)).containsExactly(4);
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void aWriteThatFailsKeepsTheOldFile() throws IOException {
        SortedHashFile.write(file(), 1, 2, 3);
        assertThatIllegalArgumentException().isThrownBy(() -> SortedHashFile.write(file(), given(2, 5, 4)));
        assertThatIllegalArgumentException().isThrownBy(() -> SortedHashFile.write(file(), given(4, 1, 2)));
        try (SortedHashFile file = SortedHashFile.open(file());
                Stream<Path> files = Files.list(folder)) {
            assertThat(file.between(0, -1)).containsExactly(1, 2, 3);
            assertThat(files).containsExactly(file());
        }
        assertThatThrownBy(() -> SortedHashFile.write(folder.resolve("none").resolve("hashes"), 1))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> SortedHashFile.open(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void everyCutIsRefused() throws IOException {
        byte[] whole = write(1, 2, 3, -1);
        for (int length = 0; length < whole.length; length++) {
            assertMalformed(Arrays.copyOf(whole, length));
        }
        assertMalformed(Arrays.copyOf(whole, whole.length + 1));
        assertMalformed(Arrays.copyOf(whole, whole.length + 8));
    }

    @Test
    void everyFlippedBitIsRefused() throws IOException {
        byte[] whole = write(new SplittableRandom(6).longs(50).toArray());
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] bytes = whole.clone();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertMalformed(bytes);
        }
    }

    @Test
    void hashesOutOfOrderAreRefusedWhateverTheChecksumsSay() throws IOException {
        byte[] bytes = write(1, 2, 3);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(32, 2).putLong(40, 1);
        seal(buffer);
        assertMalformed(bytes);
        buffer.putLong(32, 1).putLong(40, 2);
        seal(buffer);
        Files.write(file(), bytes);
        SortedHashFile.open(file()).close();
    }

    @Test
    void aHostileCountReservesNoMemory() throws IOException {
        byte[] bytes = write(1, 2, 3);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (long count : new long[] {4, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE, (1L << 61) + 3}) {
            buffer.putLong(16, count);
            seal(buffer);
            assertMalformed(bytes);
        }
    }

    @Test
    void aFileThatWasCutWhileOpenIsAnInputError() throws IOException {
        SortedHashFile.write(file(), new SplittableRandom(7).longs(5000).toArray());
        try (SortedHashFile file = SortedHashFile.open(file())) {
            Files.write(file(), new byte[100]);
            assertThatThrownBy(() -> file.between(0, -1)).isInstanceOf(UncheckedIOException.class);
        }
    }

    /** Writes checksums that fit the rest. */
    private static void seal(ByteBuffer buffer) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().position(32));
        buffer.putInt(24, (int) crc.getValue());
        crc.reset();
        crc.update(buffer.duplicate().limit(28));
        buffer.putInt(28, (int) crc.getValue());
    }

    private byte[] write(long... hashes) throws IOException {
        SortedHashFile.write(file(), hashes);
        return Files.readAllBytes(file());
    }

    private void assertMalformed(byte[] bytes) throws IOException {
        Files.write(file(), bytes);
        assertThatThrownBy(() -> SortedHashFile.open(file()).close())
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining(file().toString());
    }

    /** Stored hashes that keep no promise: any count and any order. */
    private static StoredHashes given(long count, long... hashes) {
        return new StoredHashes() {
            @Override
            public void forEachBetween(long lo, long hi, LongConsumer action) {
                Arrays.stream(hashes).forEach(action);
            }

            @Override
            public long count() {
                return count;
            }
        };
    }
}
