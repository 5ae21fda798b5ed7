package dev.besom.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyReaderTest {

    @ParameterizedTest
    @EnumSource(names = "PCAP", mode = EnumSource.Mode.EXCLUDE)
    void keysAndHashesAloneAreTheSameHashes(KeyFormat format) throws IOException {
        byte[] content = "12345678\n7654321\n-1234567\n".getBytes(StandardCharsets.US_ASCII);
        byte[] whole = Arrays.copyOf(content, format == KeyFormat.LONG_LE ? 24 : content.length);
        KeyHashing hashing = KeyHashing.seeded(format, 7);

        List<Long> asKeys = drain(format.open("keys", new ByteArrayInputStream(whole), hashing));
        List<Long> asHashes = drain(format.openHashes("keys", new ByteArrayInputStream(whole), hashing));

        assertThat(asKeys).hasSize(3).doesNotHaveDuplicates().isEqualTo(asHashes);
    }

    @Test
    void linesThatAreNotUtf8AreKeysOnlyWhereTheyNeedNotBeShown() throws IOException {
        byte[] content = {'a', '\n', (byte) 0xE9, 't', (byte) 0xE9, '\n'};
        KeyHashing hashing = KeyHashing.seeded(KeyFormat.LINES, 1);

        assertThat(drain(KeyFormat.LINES.openHashes("keys", new ByteArrayInputStream(content), hashing)))
                .hasSize(2);
        assertThatThrownBy(() -> drain(KeyFormat.LINES.open("keys", new ByteArrayInputStream(content), hashing)))
                .isInstanceOf(BadKeysException.class)
                .hasMessage("keys: line 2 is not valid UTF-8");
    }

    @Test
    void aKeyIsShownAsItStoodOrAsItsNumber() throws IOException {
        byte[] content = "+7\n-12\n".getBytes(StandardCharsets.US_ASCII);
        KeyHashing hashing = KeyHashing.seeded(KeyFormat.LONG_TEXT, 1);
        try (KeyReader reader = KeyFormat.LONG_TEXT.open("keys", new ByteArrayInputStream(content), hashing)) {
            assertThat(reader.readBatch()).isEqualTo(2);
            assertThat(reader.key(0)).isEqualTo(7L);
            assertThat(reader.key(1)).isEqualTo(-12L);
            ByteArrayOutputStream shown = new ByteArrayOutputStream();
            reader.writeKey(0, shown);
            assertThat(shown.toString(StandardCharsets.US_ASCII)).isEqualTo("+7");
        }
    }

    @Test
    void aFailedReadNamesItsInput() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the disk is gone");
            }

            @Override
            public int read(byte[] target, int from, int count) throws IOException {
                return read();
            }
        };
        KeyHashing hashing = KeyHashing.seeded(KeyFormat.LINES, 1);
        try (HashReader reader = KeyFormat.LINES.openHashes("some file", broken, hashing)) {
            assertThatThrownBy(reader::readBatch)
                    .isInstanceOf(IOException.class)
                    .hasMessage("some file: the disk is gone");
        }
    }

    private static List<Long> drain(HashReader reader) throws IOException {
        List<Long> hashes = new ArrayList<>();
        try (reader) {
            for (int count = reader.readBatch(); count > 0; count = reader.readBatch()) {
                Arrays.stream(reader.hashes(), 0, count).forEach(hashes::add);
            }
        }
        return hashes;
    }
}
