package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
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

    /** As many fields in a row that two kinds have are told once. */
    private static final int WORTH_A_REFERENCE = 3;

    @Test
    void theTablesAreThoseOfTheForms() throws IOException {
        Path file = Documents.root().resolve("docs/format.md");
        String text = Files.readString(file);
        boolean isRefreshed = Boolean.getBoolean(REFRESH);
        String refreshed = text;
        for (Kind kind : Filters.kinds()) {
            if (isRefreshed && !refreshed.contains(begin(kind.name()))) {
                refreshed += "\n### " + kind.name() + "\n" + begin(kind.name()) + end(kind.name());
            }
        }
        String page = refreshed;
        List<Kind> inOrder = Filters.kinds().stream()
                .sorted(Comparator.comparingInt(kind -> page.indexOf(begin(kind.name()))))
                .toList();
        for (int i = 0; i < inOrder.size(); i++) {
            refreshed = replace(refreshed, inOrder.get(i).name(), tables(inOrder.get(i), inOrder.subList(0, i)));
        }
        if (isRefreshed) {
            Files.writeString(file, refreshed);
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

    private static String tables(Kind kind, List<Kind> before) {
        ImageForm form = kind.form();
        StringBuilder text = new StringBuilder();
        append(text, "parameter", kind, before, ImageForm::fields);
        if (!form.listMeaning().isEmpty()) {
            text.append("\nThen a list, its length first: ")
                    .append(form.listMeaning())
                    .append(".\n");
        }
        append(text, "section", kind, before, ImageForm::sections);
        if (!form.partsMeaning().isEmpty()) {
            text.append("\nThen parts, each with parameters and sections of its own: ")
                    .append(form.partsMeaning())
                    .append(".\n");
        }
        return text.toString().stripLeading();
    }

    /** A row for each field; several in a row that a kind before has as well are not told again. */
    private static void append(
            StringBuilder text,
            String what,
            Kind kind,
            List<Kind> before,
            Function<ImageForm, List<? extends ImageForm.Field>> part) {
        List<String> rows = rows(part.apply(kind.form()));
        if (rows.isEmpty()) {
            return;
        }
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < rows.size(); ) {
            Told told = Told.NOWHERE;
            for (Kind other : before) {
                told = told.orLonger(other, rows.subList(i, rows.size()), rows(part.apply(other.form())));
            }
            if (told.length == rows.size()) {
                text.append("\nThe ")
                        .append(what)
                        .append("s are those of `")
                        .append(told.kind)
                        .append("`.\n");
                return;
            }
            if (told.length < WORTH_A_REFERENCE) {
                table.append(String.format("| %d | %s |\n", i, rows.get(i)));
                i++;
            } else {
                table.append(String.format(
                        "| %d to %d | | %d to %d of `%s` |\n",
                        i, i + told.length - 1, told.from, told.from + told.length - 1, told.kind));
                i += told.length;
            }
        }
        text.append("\n| ")
                .append(what)
                .append(" | name | what |\n| ---: | --- | --- |\n")
                .append(table);
    }

    /**
     * Where rows stand already.
     *
     * @param kind of that kind
     * @param from from that row on
     * @param length so many
     */
    private record Told(String kind, int from, int length) {

        static final Told NOWHERE = new Told("", 0, 0);

        /** This, or where more of the wanted rows stand. */
        Told orLonger(Kind other, List<String> wanted, List<String> rows) {
            Told longest = this;
            for (int from = 0; from < rows.size(); from++) {
                int common = common(wanted, rows.subList(from, rows.size()));
                if (common > longest.length) {
                    longest = new Told(other.name(), from, common);
                }
            }
            return longest;
        }
    }

    private static List<String> rows(List<? extends ImageForm.Field> fields) {
        return fields.stream()
                .map(field -> field.name() + " | " + (field instanceof ImageForm.DoubleField ? "f64: " : "")
                        + field.meaning())
                .toList();
    }

    private static int common(List<String> some, List<String> others) {
        int common = 0;
        while (common < Math.min(some.size(), others.size()) && some.get(common).equals(others.get(common))) {
            common++;
        }
        return common;
    }
}
