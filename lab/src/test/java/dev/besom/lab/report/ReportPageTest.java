package dev.besom.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Experiments;
import dev.besom.lab.experiment.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ReportPageTest {

    private static final String PAGE = ReportPage.render(List.of(PageData.result("one"), PageData.result("two")));

    @Test
    void eachExperimentHasItsPlotsSentenceTableAndCommand() {
        for (String name : List.of("one", "two")) {
            assertThat(PAGE).contains("<section class=\"card experiment\" id=\"" + name + "\">");
            assertThat(PAGE).contains("data-experiment=\"" + name + "\" data-plot=\"0\"");
            assertThat(PAGE).contains("data-experiment=\"" + name + "\" data-plot=\"1\"");
            assertThat(PAGE)
                    .contains("./besom report --quick --experiments " + name + " --seed 7 --out " + name + ".html");
        }
        assertThat(PAGE).contains("See &lt;/script&gt;&lt;i&gt;this&lt;/i&gt;.");
        assertThat(PAGE).contains("<th>kind &lt;k&gt;</th>");
        assertThat(PAGE).contains("<td class=\"number\">0.001235</td><td>bloom</td>");
        assertThat(PAGE).contains("<td class=\"number\">1,000,000</td><td>&quot;q&quot;</td>");
    }

    @Test
    void findingsComeFirstThenTheCalculatorThenThePapers() {
        String page = ReportPage.render(List.of(PageData.skewed("telescoping-figure-2-active", 0.001)));
        assertThat(page.indexOf("id=\"findings\"")).isPositive().isLessThan(page.indexOf("id=\"calculator\""));
        assertThat(page.indexOf("id=\"calculator\"")).isLessThan(page.indexOf("id=\"papers\""));
        assertThat(page.indexOf("id=\"papers\"")).isLessThan(page.indexOf("class=\"card experiment\""));
    }

    @Test
    void aFindingSaysWhatItsPointsSayWhicheverSideIsAhead() {
        assertThat(Headlines.of(PageData.skewed("telescoping-figure-2-active", 0.001)))
                .hasValueSatisfying(
                        sentence -> assertThat(sentence)
                                .contains("ahead of the best that does not adapt at 2 of 2")
                                .contains("pays up to 40 times")
                                .contains(
                                        "telescoping is wrong in 0.10 % of lookups and bloom in 4 %, with 10 different missing keys"));
        assertThat(Headlines.of(PageData.skewed("telescoping-figure-2-powerlaw", 0.03)))
                .hasValueSatisfying(
                        sentence -> assertThat(sentence).contains("at 1 of 2").contains("pays up to 1.3 times"));
        assertThat(Headlines.of(PageData.result("one"))).isEmpty();
    }

    @Test
    void filtersThatRepairThemselvesCountAsSuchUnderAnyName() {
        assertThat(List.of("telescoping", "cuckoo-cyclic, s = 2", "the paper's TAF", "rival:break-even"))
                .allMatch(Headlines::isAdaptive);
        assertThat(List.of("bloom", "quotient", "rival:cached-quotient", "bloom, tuned for the last load"))
                .noneMatch(Headlines::isAdaptive);
    }

    @Test
    void aPageGivesBackTheResultsThatItWasMadeFrom() {
        List<ExperimentResult> results = List.of(PageData.result("one"), PageData.result("two"));
        assertThat(ReportPage.read(ReportPage.render(results))).isEqualTo(results);
        assertThatThrownBy(() -> ReportPage.read("<html></html>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no data");
    }

    /** What the page in the documents says is what its data says today. */
    @Test
    void thePublishedPageSaysWhatItsDataSays() throws IOException {
        Path folder = Path.of("..", "docs");
        String page = Files.readString(folder.resolve("report.html"));
        List<ExperimentResult> results = ReportPage.read(page);
        assertThat(results).isNotEmpty();
        assertThat(results).allSatisfy(result -> {
            assertThat(result).isEqualTo(Experiments.described(result));
            assertThat(Headlines.of(result))
                    .as(result.description().name())
                    .hasValueSatisfying(sentence -> assertThat(page).contains(ReportPage.escape(sentence)));
        });
        assertThat(Files.readString(folder.resolve("report.csv"))).isEqualTo(ResultCsv.write(results));
    }

    @Test
    void shortNamesAreExplainedWhereTheyComeUpFirstAndNowhereElse() {
        Terms terms = new Terms();
        assertThat(terms.newIn("the paper's TAF and 64B"))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("TAF: ");
        assertThat(terms.newIn("TAF, uTAF, 32I")).hasSize(2).allMatch(meaning -> !meaning.startsWith("TAF"));
        assertThat(terms.newIn("STAFF 164B")).isEmpty();
    }

    @Test
    void thePageAsksForNothingFromANetwork() {
        assertThat(PAGE).doesNotContainPattern("(src|href)=[\"']?(https?:)?//");
        assertThat(PAGE).doesNotContain("@import").doesNotContain("url(").doesNotContain("sourceMappingURL");
        assertThat(PAGE).contains("default-src 'none'");
        assertThat(Pattern.compile("\\{\\{[a-z]+}}").matcher(PAGE).find()).isFalse();
    }

    @Test
    void theScriptsEndWhereTheyShould() {
        assertThat(PAGE.split("<script", -1)).hasSize(5);
        assertThat(PAGE.split("</script>", -1)).hasSize(5);
    }

    @Test
    void theDataOfThePageIsJson() {
        String opening = "id=\"data\">";
        int from = PAGE.indexOf(opening) + opening.length();
        Object data = JsonText.read(PAGE.substring(from, PAGE.indexOf("</script>", from)));
        assertThat(data)
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsOnlyKeys("experiments", "limits", "kinds", "checks", "skewChecks");
    }

    @Test
    void aPageWithoutExperimentsIsACalculator() {
        assertThat(ReportPage.render(List.of()))
                .contains("id=\"calculator\"")
                .doesNotContain("class=\"card experiment\"");
    }

    @Test
    void thePointsAreLinesOfCsv() {
        assertThat(ResultCsv.write(List.of(PageData.result("one"))).lines())
                .startsWith("experiment,scale,plot,series,origin,x,y", "one,quick,Left <b>,bloom,ours,1.0,0.1")
                .hasSize(11);
    }
}
