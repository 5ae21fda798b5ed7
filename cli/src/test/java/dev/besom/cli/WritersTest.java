package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WritersTest {

    @Test
    void jsonHasACommaBetweenMembersAndNowhereElse() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new JsonWriter(out)
                .beginObject()
                .name("empty")
                .beginArray()
                .endArray()
                .name("list")
                .beginArray()
                .value(1)
                .beginObject()
                .endObject()
                .value("x")
                .nullValue()
                .endArray()
                .field("truth", true)
                .endObject()
                .end();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("{\"empty\":[],\"list\":[1,{},\"x\",null],\"truth\":true}\n");
    }

    @Test
    void numbersThatJsonDoesNotHaveBecomeNull() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonWriter json = new JsonWriter(out).beginObject().name("a").beginArray();
        for (double number :
                new double[] {Double.NaN, Double.POSITIVE_INFINITY, 1e-300, -0.0, 1e22, Double.MIN_VALUE}) {
            json.value(number);
        }
        json.value(Long.MIN_VALUE).endArray().endObject().end();
        assertThat(Json.parse(out.toString(StandardCharsets.UTF_8)))
                .isEqualTo(Map.of(
                        "a", List.of("null", "null", 1e-300, -0.0, 1e22, Double.MIN_VALUE, (double) Long.MIN_VALUE)));
    }

    @Test
    void everyCharacterSurvivesJson() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            all.append((char) c).append(' ');
        }
        all.append("\uD83D\uDE00");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new JsonWriter(out)
                .beginObject()
                .field(all.toString(), all.toString())
                .endObject()
                .end();
        assertThat(Json.parse(out.toString(StandardCharsets.UTF_8))).isEqualTo(Map.of(all.toString(), all.toString()));
    }

    @Test
    void mapsAndListsAreWrittenAsTheyAre() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("list", Arrays.asList(1, 2L, 0.5, Double.NaN, 0.25f, true, "text", null));
        map.put("map", Map.of("a", List.of()));
        new JsonWriter(out).value((Object) map).end();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("{\"list\":[1,2,0.5,null,0.25,true,\"text\",null],\"map\":{\"a\":[]}}\n");
    }

    @Test
    void aDocumentThatIsStillOpenCannotEnd() throws IOException {
        JsonWriter json = new JsonWriter(new ByteArrayOutputStream()).beginObject();
        assertThatThrownBy(json::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void columnsAreAsWideAsTheirWidestCell() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = new Console(InputStream.nullInputStream(), out, out, false);
        new Table("name", ">bits").row("a", "1").row("long-name", "1234567").print(console);
        console.finish();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("name          bits\na                1\nlong-name  1234567\n");
    }

    @Test
    void utf8IsJudgedAsTheDecoderOfTheJdkJudgesIt() {
        byte[] edges = {
            0,
            'a',
            0x7F,
            (byte) 0x80,
            (byte) 0x8F,
            (byte) 0x90,
            (byte) 0x9F,
            (byte) 0xA0,
            (byte) 0xBF,
            (byte) 0xC0,
            (byte) 0xC1,
            (byte) 0xC2,
            (byte) 0xDF,
            (byte) 0xE0,
            (byte) 0xE1,
            (byte) 0xEC,
            (byte) 0xED,
            (byte) 0xEE,
            (byte) 0xEF,
            (byte) 0xF0,
            (byte) 0xF1,
            (byte) 0xF3,
            (byte) 0xF4,
            (byte) 0xF5,
            (byte) 0xFF
        };
        for (int first = 0; first < 256; first++) {
            assertJudged((byte) first);
            for (int second = 0; second < 256; second++) {
                assertJudged((byte) first, (byte) second);
            }
        }
        for (byte first : edges) {
            for (byte second : edges) {
                for (byte third : edges) {
                    assertJudged(first, second, third);
                    for (byte fourth : edges) {
                        assertJudged(first, second, third, fourth);
                    }
                }
            }
        }
    }

    /** Alone, and behind so much ASCII that it crosses the words that are looked at as one. */
    private static void assertJudged(byte... bytes) {
        boolean valid = decodes(bytes);
        byte[] padded = "0123456789abcdefghij".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, padded, 6, bytes.length);
        if (Utf8.isWellFormed(bytes, 0, bytes.length) != valid
                || Utf8.isWellFormed(padded, 1, padded.length) != valid) {
            throw new AssertionError(
                    "should be " + valid + ": " + HexFormat.of().formatHex(bytes));
        }
    }

    /** The JDK puts U+FFFD for what is not well-formed, and so does not get the same bytes back. */
    private static boolean decodes(byte[] bytes) {
        return Arrays.equals(new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), bytes);
    }
}
