package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The tables of {@code docs/format.md}, between marks of their own lines, against the forms of the kinds. With the system
 * property {@value #REFRESH} they are written anew instead, and kinds that the page lacks get a heading at its end.
 *
 * <pre>
 *   &lt;!-- form KIND: begin --&gt;
 *   parameters, then sections
 *   &lt;!-- form KIND: end --&gt;
 * </pre>
 */
class FormatTablesTest {

    private static final String REFRESH = "besom.refreshTables";

    @Test
    void theTablesAreThoseOfTheForms() throws IOException {
        Path page = Documents.root().resolve("docs/format.md");
        String text = Files.readString(page);
        boolean isRefreshed = Boolean.getBoolean(REFRESH);
        String refreshed = text;
        for (Kind kind : Filters.kinds()) {
            if (isRefreshed && !refreshed.contains(begin(kind.name()))) {
                refreshed += "\n### " + kind.name() + "\n" + begin(kind.name()) + end(kind.name());
            }
            refreshed = replace(refreshed, kind.name(), tables(kind.form()));
        }
        if (isRefreshed) {
            Files.writeString(page, refreshed);
        } else {
            assertThat(text.lines())
                    .as("-D" + REFRESH + "=true writes the tables anew")
                    .containsExactlyElementsOf(refreshed.lines().toList());
        }
    }

    private static String begin(String kind) {
        return "\n<!-- form " + kind + ": begin -->\n";
    }

    private static String end(String kind) {
        return "<!-- form " + kind + ": end -->\n";
    }

    private static String replace(String text, String kind, String tables) {
        String begin = begin(kind);
        String end = end(kind);
        assertThat(text).as("docs/format.md").containsOnlyOnce(begin).containsOnlyOnce(end);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end);
        assertThat(to).as(kind).isGreaterThanOrEqualTo(from);
        return text.substring(0, from) + tables + text.substring(to);
    }

    private static String tables(ImageForm form) {
        StringBuilder text = new StringBuilder();
        append(text, "parameter", form.fields());
        if (!form.listMeaning().isEmpty()) {
            text.append("\nThen a list, its length first: ")
                    .append(form.listMeaning())
                    .append(".\n");
        }
        append(text, "section", form.sections());
        if (!form.partsMeaning().isEmpty()) {
            text.append("\nThen parts, each with parameters and sections of its own: ")
                    .append(form.partsMeaning())
                    .append(".\n");
        }
        return text.toString().stripLeading();
    }

    private static void append(StringBuilder text, String what, List<? extends ImageForm.Field> fields) {
        if (fields.isEmpty()) {
            return;
        }
        text.append("\n| ").append(what).append(" | name | what |\n| ---: | --- | --- |\n");
        for (int i = 0; i < fields.size(); i++) {
            ImageForm.Field field = fields.get(i);
            text.append("| ")
                    .append(i)
                    .append(" | ")
                    .append(field.name())
                    .append(" | ")
                    .append(field instanceof ImageForm.DoubleField ? "f64: " : "")
                    .append(field.meaning())
                    .append(" |\n");
        }
    }
}
