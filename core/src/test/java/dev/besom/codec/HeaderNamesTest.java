package dev.besom.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names in a header can be shown on a terminal as they are. */
class HeaderNamesTest {

    private static final PersistentFilter FILTER = Filters.makeHashFilter("bloom", FilterSpec.of(10, 0.01));
    private static final int KIND_OFFSET = 13;

    @ParameterizedTest
    @ValueSource(ints = {0, 7, '\n', 0x1B, ' ', 0x7F, 0x80, 0xFF})
    void aFileWithALetterThatCannotBeShownIsRefusedWithoutShowingIt(int letter) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FilterCodec.write(FILTER, HasherStamp.NONE, out);
        byte[] bytes = out.toByteArray();
        bytes[KIND_OFFSET + 2] = (byte) letter;
        renewHeaderChecksum(bytes);

        assertThatExceptionOfType(MalformedFilterException.class)
                .isThrownBy(() -> Filters.readHashFilter(new ByteArrayInputStream(bytes)))
                .withMessageContaining("printable ASCII")
                .withMessageMatching("[ -~]*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"größe:1", "two words", "line\n"})
    void aHasherWithSuchANameIsNotWritten(String id, @TempDir Path folder) throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterCodec.write(FILTER, new HasherStamp(id, 1), folder.resolve("filter")))
                .withMessageContaining(id);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void everyPrintableLetterIsAName() throws IOException {
        byte[] letters = new byte['~' - ' '];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) (' ' + 1 + i);
        }
        HasherStamp stamp = new HasherStamp(new String(letters, StandardCharsets.US_ASCII), 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FilterCodec.write(FILTER, stamp, out);
        assertThat(Filters.readHashFilter(new ByteArrayInputStream(out.toByteArray()))
                        .hasher())
                .isEqualTo(stamp);
    }

    private static void renewHeaderChecksum(byte[] file) {
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int checked = (buffer.getShort(10) & 0xFFFF) - Integer.BYTES;
        CRC32C crc = new CRC32C();
        crc.update(file, 0, checked);
        buffer.putInt(checked, (int) crc.getValue());
    }
}
