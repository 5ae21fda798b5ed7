package dev.besom.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.lab.workload.QueryStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFileTest {

    @TempDir
    Path folder;

    @Test
    void linesEndWithLfOrCrLfAndTheEmptyLineIsAKey() throws IOException {
        List<Long> keys = read("alpha\r\nbeta\n\nlast", KeyFormat.LINES);
        assertThat(keys).hasSize(4).doesNotHaveDuplicates();
        assertThat(read("alpha\nbeta\n\nlast\n", KeyFormat.LINES)).isEqualTo(keys);
    }

    @Test
    void theSameLineIsTheSameKeyUnderTheSameSeedOnly() throws IOException {
        List<Long> keys = read("alpha\r\nbeta\nalpha\n", KeyFormat.LINES);
        assertThat(keys).hasSize(3);
        assertThat(keys.get(0)).isEqualTo(keys.get(2)).isNotEqualTo(keys.get(1));
        Path file = folder.resolve("keys");
        assertThat(drain(new KeyFile(file, KeyFormat.LINES, 2))).doesNotContainAnyElementsOf(keys);
    }

    @Test
    void numbersAreTheSameKeysAsTextAndAsBinary() throws IOException {
        long[] numbers = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 42};
        StringBuilder text = new StringBuilder();
        ByteBuffer binary = ByteBuffer.allocate(numbers.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long number : numbers) {
            text.append(number).append('\n');
            binary.putLong(number);
        }
        List<Long> fromText = read(text.toString(), KeyFormat.LONG_TEXT);
        Files.write(folder.resolve("binary"), binary.array());
        assertThat(drain(new KeyFile(folder.resolve("binary"), KeyFormat.LONG_LE, 1)))
                .isEqualTo(fromText)
                .hasSize(6)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(names = "PCAP", mode = EnumSource.Mode.EXCLUDE)
    void anEmptyFileHasNoKeys(KeyFormat format) throws IOException {
        assertThat(read("", format)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"12\nx\n", "12\n\n", "12\n9223372036854775808\n", "12\n111111111111111111111111111111111\n"})
    void aLineThatIsNoNumberIsRefusedByItsNumber(String content) {
        assertThatThrownBy(() -> read(content, KeyFormat.LONG_TEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keys: line 2");
    }

    @Test
    void binaryKeysThatBreakOffAreRefused() {
        assertThatThrownBy(() -> read("123456789", KeyFormat.LONG_LE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keys: its length of 9 bytes");
    }

    @Test
    void aFileThatIsNotThereIsRefusedByName() {
        KeyFile absent = new KeyFile(folder.resolve("absent"), KeyFormat.LINES, 1);
        assertThatThrownBy(absent::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("absent: no such file");
    }

    @Test
    void pastTheLastKeyThereIsNone() throws IOException {
        Path file = folder.resolve("one");
        Files.writeString(file, "one\n");
        try (QueryStream stream = new KeyFile(file, KeyFormat.LINES, 1).open()) {
            stream.next();
            assertThat(stream.hasNext()).isFalse();
            assertThatThrownBy(stream::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    private List<Long> read(String content, KeyFormat format) throws IOException {
        Path file = folder.resolve("keys");
        Files.write(file, content.getBytes(StandardCharsets.UTF_8));
        return drain(new KeyFile(file, format, 1));
    }

    static List<Long> drain(KeyFile file) {
        List<Long> keys = new ArrayList<>();
        try (QueryStream stream = file.open()) {
            while (stream.hasNext()) {
                keys.add(stream.next());
            }
        }
        return keys;
    }
}
