package dev.besom.lab.report;

import dev.besom.lab.experiment.Description;
import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.JsonText;
import dev.besom.lab.experiment.Plot;
import dev.besom.lab.experiment.ResultJson;
import dev.besom.lab.experiment.ResultTable;
import dev.besom.lab.experiment.Scale;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts results and the calculator onto one page of HTML that needs nothing beside it and no network: text and tables are
 * in the page as they are read, plots are drawn by the script from the data that the page holds.
 *
 * <p>The chart library comes out of its own jar on the class path when a page is made.
 */
public final class ReportPage {

    private static final String CHART_LIBRARY = "META-INF/resources/webjars/chart.js/4.4.9/dist/chart.umd.js";

    /** Behind this a page has its data, as JSON. */
    private static final String DATA_BEGINS = "id=\"data\">";

    /** Where the whole page is put together: each name stands once in {@code page.html}, in double braces. */
    private final Map<String, String> parts = new LinkedHashMap<>();

    private ReportPage(List<ExperimentResult> results) {
        parts.put("style", resource("page.css"));
        parts.put("contents", contents(results));
        parts.put("findings", findings(results));
        parts.put("summary", summary(results));
        Terms terms = new Terms();
        parts.put(
                "experiments",
                results.stream().map(result -> section(result, terms)).collect(Collectors.joining("\n")));
        parts.put("data", data(results));
        parts.put("library", chartLibrary());
        parts.put("formulas", resource("formulas.js"));
        parts.put("script", resource("page.js"));
    }

    /** The page. */
    public static String render(List<ExperimentResult> results) {
        return new ReportPage(results).assemble();
    }

    private String assemble() {
        StringBuilder page = new StringBuilder();
        String rest = resource("page.html");
        for (Map.Entry<String, String> part : parts.entrySet()) {
            String place = "{{" + part.getKey() + "}}";
            int at = rest.indexOf(place);
            if (at < 0) {
                throw new IllegalStateException("the page has no place for its " + part.getKey());
            }
            page.append(rest, 0, at).append(part.getValue());
            rest = rest.substring(at + place.length());
        }
        return page.append(rest).toString();
    }

    /**
     * The results that a page was made from.
     *
     * @throws IllegalArgumentException if the text is no page of a report
     */
    public static List<ExperimentResult> read(String page) {
        int at = page.indexOf(DATA_BEGINS);
        int end = page.indexOf("</script>", Math.max(0, at));
        if (at < 0 || end < 0) {
            throw new IllegalArgumentException("not a page of besom report: it holds no data");
        }
        return ResultJson.read(page.substring(at + DATA_BEGINS.length(), end));
    }

    private static String data(List<ExperimentResult> results) {
        Map<String, Object> data = new LinkedHashMap<>(ResultJson.document(results));
        data.put("limits", Calculator.limits());
        data.put("kinds", Calculator.kinds());
        data.put("checks", Calculator.checks());
        data.put("skewChecks", Calculator.skewChecks());
        return JsonText.write(data);
    }

    private static String summary(List<ExperimentResult> results) {
        if (results.isEmpty()) {
            return "";
        }
        String machines = results.stream()
                .map(result -> result.provenance().machine())
                .distinct()
                .map(ReportPage::escape)
                .collect(Collectors.joining("<br>"));
        String scales = Stream.of(Scale.values())
                .map(scale -> results.stream()
                                .filter(result -> result.provenance().scale() == scale)
                                .count()
                        + (scale == Scale.FULL ? " in full" : " quick"))
                .collect(Collectors.joining(", "));
        return "<p class=\"machine\">Experiments that were run " + scales + ".<br>" + machines + "</p>";
    }

    /** What the run found, as sentences that lead to their plots. */
    private static String findings(List<ExperimentResult> results) {
        StringBuilder items = new StringBuilder();
        for (ExperimentResult result :
                results.stream().filter(Headlines::isFirst).toList()) {
            Headlines.of(result)
                    .ifPresent(sentence -> items.append("<li>")
                            .append(escape(sentence))
                            .append(" <a href=\"#")
                            .append(result.description().name())
                            .append("\">see it</a></li>\n"));
        }
        return items.isEmpty()
                ? ""
                : "<section class=\"card\" id=\"findings\">\n<h2>What this run found</h2>\n<ul>\n" + items
                        + "</ul>\n</section>\n";
    }

    private static String contents(List<ExperimentResult> results) {
        if (results.isEmpty()) {
            return "";
        }
        StringBuilder links = new StringBuilder("<details id=\"contents\"><summary>All ")
                .append(results.size())
                .append(" experiments</summary>\n<ul>\n");
        for (ExperimentResult result : results) {
            Description description = result.description();
            links.append("<li><a href=\"#")
                    .append(description.name())
                    .append("\">")
                    .append(escape(description.title()))
                    .append("</a> <span class=\"source\">")
                    .append(escape(description.figure()))
                    .append(", ")
                    .append(result.provenance().scale().label())
                    .append("</span></li>\n");
        }
        return links.append("</ul></details>\n").toString();
    }

    /** Short names that an experiment brings up, explained. */
    private static String terms(ExperimentResult result, Terms terms) {
        StringBuilder text = new StringBuilder(result.description().toSee());
        for (Plot plot : result.findings().plots()) {
            text.append(' ').append(plot.title()).append(' ').append(plot.x().label());
            plot.series().forEach(series -> text.append(' ').append(series.name()));
            plot.marks().forEach(mark -> text.append(' ').append(mark.label()));
        }
        List<String> meanings = terms.newIn(text.toString());
        return meanings.isEmpty() ? "" : "<p class=\"terms\">" + escape(String.join("; ", meanings)) + ".</p>\n";
    }

    private static String section(ExperimentResult result, Terms terms) {
        Description description = result.description();
        StringBuilder html = new StringBuilder();
        html.append("<section class=\"card experiment\" id=\"")
                .append(description.name())
                .append("\">\n<h2>")
                .append(escape(description.title()))
                .append("</h2>\n<p class=\"source\">")
                .append(escape(description.figure()))
                .append(" · ")
                .append(escape(description.paper()))
                .append("</p>\n<p class=\"see\">")
                .append(escape(description.toSee()))
                .append("</p>\n");
        Headlines.of(result)
                .ifPresent(sentence -> html.append("<p class=\"found\">")
                        .append(escape(sentence))
                        .append("</p>\n"));
        html.append(terms(result, terms)).append("<div class=\"plots\">\n");
        List<Plot> plots = result.findings().plots();
        for (int i = 0; i < plots.size(); i++) {
            String title = plots.get(i).title();
            html.append("<figure>");
            if (!title.isEmpty()) {
                html.append("<figcaption>").append(escape(title)).append("</figcaption>");
            }
            html.append("<div class=\"canvas\"><canvas data-experiment=\"")
                    .append(description.name())
                    .append("\" data-plot=\"")
                    .append(i)
                    .append("\" role=\"img\" aria-label=\"")
                    .append(escape(description.title() + (title.isEmpty() ? "" : ": " + title)))
                    .append("\"></canvas></div>")
                    .append("<p class=\"zeros\" hidden>Points at 0 are not drawn: the axis is logarithmic.</p>")
                    .append("</figure>\n");
        }
        html.append("</div>\n<p class=\"parameters\">")
                .append(parameters(result))
                .append("</p>\n");
        html.append("<div class=\"command\"><code>./")
                .append(escape(result.provenance().command()))
                .append("</code><button type=\"button\" class=\"copy\">copy</button></div>\n");
        html.append("<details><summary>The numbers</summary>\n")
                .append("<p><a class=\"csv\" data-experiment=\"")
                .append(description.name())
                .append("\" href=\"#")
                .append(description.name())
                .append("\">save as CSV</a></p>\n")
                .append(table(result.findings().table()))
                .append("</details>\n</section>\n");
        return html.toString();
    }

    private static String parameters(ExperimentResult result) {
        String parameters = result.findings().parameters().entrySet().stream()
                .map(parameter -> escape(parameter.getKey()) + " " + escape(parameter.getValue()))
                .collect(Collectors.joining(" · "));
        String scale =
                result.provenance().scale() == Scale.FULL ? "run in full" : "quick run, smaller than the paper's";
        return "<strong>" + scale + "</strong> · " + parameters + " · seed "
                + result.provenance().seed()
                + String.format(
                        Locale.ROOT,
                        " · took %.0f s",
                        Math.ceil(result.provenance().seconds()));
    }

    private static String table(ResultTable table) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        table.columns()
                .forEach(column -> html.append("<th>").append(escape(column)).append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (List<Object> row : table.rows()) {
            html.append("<tr>");
            for (Object cell : row) {
                if (cell instanceof Double number) {
                    html.append("<td class=\"number\">")
                            .append(readable(number))
                            .append("</td>");
                } else {
                    html.append("<td>").append(escape(cell.toString())).append("</td>");
                }
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    /** A number with four digits that count. */
    static String readable(double number) {
        if (Double.isNaN(number)) {
            return "–";
        }
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return String.format(Locale.ROOT, "%,d", (long) number);
        }
        double size = Math.abs(number);
        if (size < 1e-4) {
            return String.format(Locale.ROOT, "%.2e", number);
        }
        int digits = (int) Math.max(0, Math.min(7, 3 - Math.floor(Math.log10(size))));
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String chartLibrary() {
        ClassLoader loader = ReportPage.class.getClassLoader();
        try (InputStream in = loader.getResourceAsStream(CHART_LIBRARY)) {
            if (in == null) {
                throw new IllegalStateException("the chart library is not on the class path: " + CHART_LIBRARY);
            }
            // The library's last line names a file for debuggers, which a page without a network has not.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^//# sourceMappingURL=.*$", "")
                    .replace("</script", "<\\/script");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("a part of the page is missing: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
