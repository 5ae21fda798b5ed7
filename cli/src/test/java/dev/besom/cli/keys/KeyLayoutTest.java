package dev.besom.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.besom.cli.keys.Columns.Column;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyLayoutTest {

    private static final KeyLayout LINES = KeyLayout.of(KeyFormat.LINES);

    @TempDir
    Path folder = Path.of("");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    /** A stream that gives so many bytes at a time. */
    private static InputStream slowly(byte[] content, int most) {
        return new ByteArrayInputStream(content) {
            @Override
            public synchronized int read(byte[] target, int from, int count) {
                return super.read(target, from, Math.min(most, count));
            }
        };
    }

    private static List<String> keys(KeyLayout layout, String name, byte[] content) throws IOException {
        List<String> result = new ArrayList<>();
        for (int most : new int[] {1, 7, 1 << 20}) {
            List<String> keys = new ArrayList<>();
            KeyHashing hashing = KeyHashing.seeded(layout.format(), 1);
            try (KeyReader reader = layout.open(name, slowly(content, most), hashing)) {
                for (int count = reader.readBatch(); count > 0; count = reader.readBatch()) {
                    for (int i = 0; i < count; i++) {
                        keys.add(reader.key(i).toString());
                    }
                }
            }
            assertThat(result.isEmpty() || result.equals(keys))
                    .as("in pieces of %s", most)
                    .isTrue();
            result = keys;
        }
        return result;
    }

    private static List<String> column(String column, String name, String content) throws IOException {
        return keys(new KeyLayout(KeyFormat.LINES, Optional.of(Columns.of(column))), name, bytes(content));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstKey() throws IOException {
        assertThat(keys(LINES, "keys", bytes("\uFEFFone\n\uFEFFtwo\n"))).containsExactly("one", "\uFEFFtwo");
        assertThat(keys(LINES, "keys", bytes("\uFEFF"))).isEmpty();
        assertThat(keys(KeyLayout.of(KeyFormat.LONG_TEXT), "keys", bytes("\uFEFF12\n")))
                .containsExactly("12");
        assertThat(column("key", "keys.csv", "\uFEFFkey,n\na,1\n")).containsExactly("a");
        assertThat(keys(LINES, "keys", gzip(bytes("\uFEFFone\n")))).containsExactly("one");
    }

    @Test
    void compressedFilesAreKnownByTheirFirstBytes() throws IOException {
        byte[] plain = bytes("one\ntwo\n\nthree");
        List<String> keys = List.of("one", "two", "", "three");
        assertThat(keys(LINES, "keys", gzip(plain))).isEqualTo(keys);
        assertThat(keys(LINES, "keys", Zstd.compress(plain))).isEqualTo(keys);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(gzip(bytes("one\ntwo\n")));
        joined.writeBytes(gzip(bytes("\nthree")));
        assertThat(keys(LINES, "keys", joined.toByteArray())).isEqualTo(keys);
    }

    /** Numbers in binary may begin like a compressed file. */
    @Test
    void numbersInBinaryAreDecompressedByNameOnly() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        byte[] plain = buffer.putLong(0x0000_0000_0008_8B1FL).putLong(-7).array();
        KeyLayout binary = KeyLayout.of(KeyFormat.LONG_LE);
        List<String> keys = List.of("" + 0x8_8B1FL, "-7");
        assertThat(keys(binary, "keys", plain)).isEqualTo(keys);
        assertThat(keys(binary, "keys.gz", gzip(plain))).isEqualTo(keys);
        assertThat(keys(binary, "keys.zst", Zstd.compress(plain))).isEqualTo(keys);
    }

    @Test
    void damagedFilesAreRefusedByName() throws IOException {
        byte[] packed = gzip(bytes("one\ntwo\n".repeat(1000)));
        byte[] frame = Zstd.compress(bytes("one\ntwo\n".repeat(1000)));
        packed[packed.length - 6] ^= 1;
        for (byte[] bad : new byte[][] {
            packed,
            Arrays.copyOf(packed, packed.length / 2),
            Arrays.copyOf(frame, frame.length - 3),
            {0x1F, (byte) 0x8B}
        }) {
            assertThatThrownBy(() -> keys(LINES, "some.gz", bad))
                    .isInstanceOf(BadKeysException.class)
                    .hasMessage("some.gz: its compressed data is damaged or cut off");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "2"})
    void aColumnIsFoundByNameOrNumber(String column) throws IOException {
        String header = column.equals("key") ? "id, key ,n\r\n" : "";
        assertThat(column(
                        column, "keys.csv", header + "1,a,5\r\n2,\"b \"\"c\"\", d\",6\n\n3,,7\n\"x\n,y\",\"\u00E9\",8"))
                .containsExactly("a", "b \"c\", d", "", "\u00E9");
    }

    @Test
    void theLastColumnEndsWithTheRow() throws IOException {
        assertThat(column("2", "keys.csv", "1,a\r\n2,\"b\"\r\n3,c")).containsExactly("a", "b", "c");
        assertThat(column("1", "keys.csv", "a\r\n\r\n\"\"\nb")).containsExactly("a", "", "b");
    }

    @ParameterizedTest
    @CsvSource({"keys.tsv", "keys.tsv.gz", "KEYS.TSV.zst", "keys.tab"})
    void filesOfTabsAreKnownByNameAndKnowNoQuotes(String name) throws IOException {
        assertThat(column("2", name, "1\t\"a,b\t\n")).containsExactly("\"a,b");
    }

    @Test
    void countsAndOutcomesComeWithTheirKeys() throws IOException {
        Path file = Files.writeString(
                folder.resolve("log.csv"), "found;count;key\nhit;2;a\nmiss;0;b\nMISS;3;c\n1;1;d\nfalse;1;e\n");
        Columns columns = new Columns(
                Column.of("key"),
                new Columns.Beside(Optional.of(Column.of("count")), Optional.of(Column.of("found")), Optional.empty()),
                Optional.of(';'),
                false);
        KeyFile log = new KeyFile(file, new KeyLayout(KeyFormat.LINES, Optional.of(columns)), 1);
        Path plain = Files.writeString(folder.resolve("plain"), "a\na\nc\nc\nc\nd\ne\n");
        Path misses = Files.writeString(folder.resolve("misses"), "c\nc\nc\ne\n");

        assertThat(hashes(log)).isEqualTo(hashes(new KeyFile(plain, KeyFormat.LINES, 1)));
        assertThat(hashes(log.only(Outcome.MISS))).isEqualTo(hashes(new KeyFile(misses, KeyFormat.LINES, 1)));
        assertThat(log.words())
                .containsExactly(
                        file.toString(),
                        "--format",
                        "lines",
                        "--query-column",
                        "key",
                        "--count-column",
                        "count",
                        "--hit-column",
                        "found",
                        "--separator",
                        ";");
    }

    /** More rows than a buffer holds, so that rows are read ahead of what is beside them. */
    @Test
    void countsStayWithTheirKeysInLongFiles() throws IOException {
        StringBuilder text = new StringBuilder();
        long expected = 0;
        for (int i = 0; i < 60_000; i++) {
            text.append("key-").append(i).append(',').append(i % 5).append('\n');
            expected += i % 5;
        }
        Path file = Files.writeString(folder.resolve("log.csv"), text);
        Columns.Beside counts = new Columns.Beside(Optional.of(Column.of("2")), Optional.empty(), Optional.empty());
        Columns columns = new Columns(Column.of("1"), counts, Optional.empty(), false);
        List<Long> hashes = hashes(new KeyFile(file, new KeyLayout(KeyFormat.LINES, Optional.of(columns)), 1));

        assertThat(hashes).hasSize((int) expected);
        KeyHashing hashing = KeyHashing.seeded(KeyFormat.LINES, 1);
        byte[] last = bytes("key-59999");
        assertThat(hashes.subList(hashes.size() - 4, hashes.size()))
                .containsOnly(hashing.ofTexts().hash(last, 0, last.length));
    }

    private static List<Long> hashes(dev.besom.lab.workload.KeySource source) {
        List<Long> hashes = new ArrayList<>();
        source.forEach(hashes::add);
        return hashes;
    }

    @Test
    void rowsThatAreNotAsTheyShouldBeAreRefusedByNumber() {
        assertRefused("key", "id,name\n", "no column 'key'; there are id, name");
        assertRefused("3", "a,b,c\na,b\n", "row 2 has only 2 columns");
        assertRefused("1", "\"a\nb\",c\n", "row 1 has a key with a line end in it");
        assertRefused("1", "a,b\n\"c,d\n", "row 2 does not end: a quote is missing");
        Columns.Beside beside = new Columns.Beside(
                Optional.of(Column.of("2")), Optional.of(Column.of("3")), Optional.of(Column.of("4")));
        Columns columns = new Columns(Column.of("1"), beside, Optional.empty(), true);
        KeyLayout layout = new KeyLayout(KeyFormat.LINES, Optional.of(columns));
        assertThatThrownBy(() -> keys(layout, "f", bytes("k,n,h,c\na,x,1,1\n")))
                .hasMessage("f: row 2 has a count that is no whole number: 'x'");
        assertThatThrownBy(() -> keys(layout, "f", bytes("k,n,h,c\na,-1,1,1\n")))
                .hasMessage("f: row 2 has a negative count: -1");
        assertThatThrownBy(() -> keys(layout, "f", bytes("k,n,h,c\na,1,maybe,1\n")))
                .hasMessage("f: row 2 says neither hit nor miss: 'maybe'");
        assertThatThrownBy(() -> keys(layout, "f", bytes("k,n,h,c\na,1,1,dear\n")))
                .hasMessage("f: row 2 has a cost that is no number: 'dear'");
        assertThatThrownBy(() -> keys(layout, "f", bytes("k,n,h,c\na,1,1,-2\n")))
                .hasMessage("f: row 2 has a cost that cannot be: -2");
    }

    private static void assertRefused(String column, String content, String why) {
        assertThatThrownBy(() -> column(column, "f.csv", content))
                .isInstanceOf(BadKeysException.class)
                .hasMessage("f.csv: " + why);
    }
}
