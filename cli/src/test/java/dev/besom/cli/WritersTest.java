package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
}
