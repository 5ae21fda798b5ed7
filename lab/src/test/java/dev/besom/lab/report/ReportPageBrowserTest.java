package dev.besom.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The page in a real browser. Skipped where there is no Chromium with its driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportPageBrowserTest {

    /** Run before the page's own scripts: remembers failures and forbidden requests. */
    private static final String COMPLAINTS = """
            var complaints = [];
            addEventListener('error', function (event) { complaints.push('error: ' + event.message); }, true);
            addEventListener('securitypolicyviolation', function (event) { complaints.push(event.blockedURI); });
            console.error = console.warn = function (text) { complaints.push('console: ' + text); };
            """;

    private static final double MIB = 8.0 * 1024 * 1024;

    private @Nullable ChromeDriver browser;

    @BeforeAll
    void open(@TempDir Path folder) throws IOException {
        Optional<File> chromium = program("chromium", "chromium-browser", "google-chrome");
        Optional<File> driver = program("chromedriver");
        assumeTrue(chromium.isPresent() && driver.isPresent(), "skipped: no chromium and chromedriver on the PATH");
        Path page = Files.writeString(
                folder.resolve("report.html"),
                ReportPage.render(List.of(PageData.result("one"), PageData.result("two"))));
        ChromeOptions options = new ChromeOptions()
                .setBinary(chromium.orElseThrow())
                .addArguments(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-dev-shm-usage",
                        "--disable-gpu",
                        "--disable-background-networking",
                        "--window-size=1200,900");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.orElseThrow())
                        .build(),
                options);
        browser.manage().timeouts().pageLoadTimeout(Duration.ofSeconds(60));
        browser.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", COMPLAINTS));
        browser.get(page.toUri().toString());
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    private ChromeDriver browser() {
        if (browser == null) {
            throw new IllegalStateException("no browser");
        }
        return browser;
    }

    @Test
    void everyPlotIsDrawnAndNothingIsComplainedAbout() {
        assertThat(browser().findElement(By.tagName("html")).getDomAttribute("data-drawn"))
                .isEqualTo("yes");
        assertThat(evaluate("""
                return Array.from(document.querySelectorAll('canvas')).filter(function (canvas) {
                  var chart = Chart.getChart(canvas);
                  return !chart || chart.data.datasets.length === 0 || canvas.width === 0;
                }).length;""")).isEqualTo(0L);
        assertThat(evaluate("return complaints.join('; ');")).isEqualTo("");
    }

    @Test
    void measuredPublishedAndComputedPointsAreToldApart() {
        assertThat(evaluate("""
                return Chart.getChart(document.querySelector('canvas[data-experiment]')).data.datasets.map(function (set) {
                  return set.label + '|' + set.showLine + '|' + set.borderDash.length;
                }).join(';');""")).isEqualTo("bloom|true|0;bloom: the paper|false|0;bloom: computed|true|2");
    }

    @Test
    void thePagesOwnCheckAgainstJavaHolds() {
        WebElement checked = browser().findElement(By.id("checked"));
        assertThat(checked.getDomAttribute("data-wrong")).isEqualTo("0");
        assertThat(Integer.parseInt(String.valueOf(checked.getDomAttribute("data-count"))))
                .isGreaterThan(20 * Filters.kinds().size());
    }

    @Test
    void valuesInThePageEqualValuesInJava() {
        set("mode", "rate");
        for (Object[] inputs : new Object[][] {{1e6, 0.01, 1.0}, {12_345.0, 0.002, 1.0}, {5e8, 0.1, 16.0}}) {
            double keys = (Double) inputs[0];
            double rate = (Double) inputs[1];
            double growth = (Double) inputs[2];
            enter("keys", inputs[0]);
            enter("rate", rate * 100);
            enter("growth", inputs[2]);
            enter("skew", 1.2);
            set("lookups", 20);
            assertRows(keys, growth, kind -> rate);
        }
        enter("growth", 1);
        enter("keys", 1000000);
        enter("mode", "memory");
        set("memory", 1.75);
        assertRows(1e6, 1, kind -> Calculator.lowestRate(Calculator.model(kind), 1e6, 1, 1.75 * MIB));
        set("mode", "rate");
    }

    private interface RateOfKind {
        double of(Kind kind);
    }

    private void assertRows(double keys, double growth, RateOfKind rates) {
        Map<?, ?> rows = (Map<?, ?>) evaluate("""
                return Object.fromEntries(Array.from(document.querySelectorAll('#plans tr[data-kind]'), function (row) {
                  return [row.dataset.kind, Object.assign({}, row.dataset)];
                }));""");
        for (Kind kind : Filters.kinds()) {
            Map<?, ?> row = (Map<?, ?>) require(rows.get(kind.name()));
            Calculator.Plan plan = Calculator.plan(Calculator.model(kind), keys, growth, rates.of(kind));
            double waste = 1e6 * Calculator.wastedShare(plan.rate(), kind.isAdaptive(), 10 * keys, 1.2, 20 * keys);
            assertSame(kind, "bits", row, plan.bits());
            assertSame(kind, "probes", row, plan.probes());
            assertSame(kind, "rate", row, plan.rate());
            assertSame(kind, "waste", row, waste);
        }
    }

    private static void assertSame(Kind kind, String what, Map<?, ?> row, double expected) {
        double shown = Double.parseDouble(String.valueOf(row.get(what)));
        if (Double.isFinite(expected)) {
            assertThat(shown).as(kind.name() + " " + what).isCloseTo(expected, within(1e-9 * expected));
        } else {
            assertThat(Double.isFinite(shown)).as(kind.name() + " " + what).isFalse();
        }
    }

    @Test
    void kindsThatLackWhatIsAskedForAreGreyAndLeaveTheCurves() {
        WebElement deletes = browser().findElement(By.id("deletes"));
        deletes.click();
        settle();
        assertThat(rowClass("bloom")).startsWith("lacking");
        assertThat(rowClass("quotient")).doesNotContain("lacking");
        assertThat(curveNames()).doesNotContain("bloom");
        deletes.click();
        settle();
        assertThat(rowClass("bloom")).doesNotContain("lacking");
    }

    @Test
    void keysWithValuesAreForTheKindsThatHoldThem() {
        List<String> before = curveNames();
        WebElement values = browser().findElement(By.id("values"));
        values.click();
        settle();
        assertThat(browser().findElement(By.id("complaint")).getText()).isEmpty();
        assertThat(curveNames()).contains("bloomier-dynamic").doesNotContain("bloom");
        values.click();
        settle();
        assertThat(curveNames()).isEqualTo(before);
    }

    @Test
    void theBestFiveAreDrawnUntilOthersAreTickedAndTheBestIsFirst() {
        // With the line of the least that any filter takes.
        assertThat(curveNames()).hasSize(6);
        WebElement first = browser().findElement(By.cssSelector("#plans tbody tr"));
        assertThat(String.valueOf(first.getDomAttribute("class"))).isEqualTo("best");
        double least = Double.parseDouble(String.valueOf(first.getDomAttribute("data-bits")));
        for (WebElement row : browser().findElements(By.cssSelector("#plans tr[data-kind]:not(.lacking)"))) {
            if (!Filters.kind(String.valueOf(row.getDomAttribute("data-kind"))).tradesTimeForSpace()) {
                assertThat(Double.parseDouble(String.valueOf(row.getDomAttribute("data-bits"))))
                        .isGreaterThanOrEqualTo(least);
            }
        }
        set("rank", "waste");
        String adaptive = String.valueOf(
                browser().findElement(By.cssSelector("#plans tbody tr")).getDomAttribute("data-kind"));
        assertThat(Filters.kind(adaptive).isAdaptive()).isTrue();
        set("rank", "bits");
        assertThat(curveNames()).doesNotContain("dleft");
        assertThat(shownRows()).isBetween(5L, 13L);
        toggleAllKinds();
        assertThat(shownRows()).isEqualTo(Filters.kinds().size());
        browser()
                .findElement(By.cssSelector("#plans tr[data-kind=dleft] input"))
                .click();
        settle();
        assertThat(curveNames()).contains("dleft").hasSize(7);
        browser()
                .findElement(By.cssSelector("#plans tr[data-kind=dleft] input"))
                .click();
        settle();
        assertThat(curveNames()).hasSize(6);
        toggleAllKinds();
        assertThat(shownRows()).isBetween(5L, 13L);
    }

    private void toggleAllKinds() {
        browser().findElement(By.id("more-plans")).click();
    }

    private long shownRows() {
        return browser().findElements(By.cssSelector("#plans tr[data-kind]")).stream()
                .filter(WebElement::isDisplayed)
                .count();
    }

    @Test
    void whatTheCommandLineRefusesThePageRefusesToo() {
        for (String rate : List.of("0", "100", "1e-30", "-1")) {
            set("rate", rate);
            assertThat(browser().findElement(By.id("complaint")).getText())
                    .as(rate)
                    .contains("rate");
        }
        set("rate", "99");
        assertThat(browser().findElement(By.id("complaint")).getText()).isEmpty();
        set("rate", 1);
        set("keys", 1e12);
        toggleAllKinds();
        assertThat(browser()
                        .findElement(By.cssSelector("#plans tr[data-kind=bloom] td:last-child"))
                        .getText())
                .contains("larger than an array");
        toggleAllKinds();
        set("keys", "1,000,000");
    }

    @Test
    void aKindHasOneColourAndOneMarkOnTheWholePageAndNoTwoHaveBoth() {
        assertThat(evaluate("""
                var seen = {};
                var wrong = [];
                document.querySelectorAll('#plans .swatch').forEach(function (dot) {
                  var style = dot.style.color + dot.textContent;
                  if (seen[style]) { wrong.push(style); }
                  seen[style] = true;
                });
                return wrong.join();""")).isEqualTo("");
    }

    @Test
    void aKindsDotHasTheColourOfItsCurve() {
        for (String kind : curveNames().subList(0, 2)) {
            assertThat(evaluate("""
                    var row = document.querySelector('#plans tr[data-kind=%s]');
                    var curve = Chart.getChart('bits-curve').data.datasets.filter(function (set) {
                      return set.label === '%s';
                    })[0];
                    var probe = document.createElement('i');
                    probe.style.color = curve.borderColor;
                    return row.querySelector('.swatch').style.color === probe.style.color;""".formatted(kind, kind))).isEqualTo(true);
        }
    }

    @Test
    void curvesMoveWithTheInputs() {
        set("rate", 1);
        Object before = evaluate(curveSum("memory-curve"));
        set("rate", 0.01);
        assertThat(evaluate(curveSum("memory-curve"))).isNotEqualTo(before);
        set("rate", 1);
        assertThat(evaluate(curveSum("memory-curve"))).isEqualTo(before);
    }

    @Test
    void inputThatMakesNoSenseIsToldAndChangesNothing() {
        set("keys", "many");
        assertThat(browser().findElement(By.id("complaint")).getText()).contains("keys must be a number");
        set("keys", "1,000,000");
        assertThat(browser().findElement(By.id("complaint")).getText()).isEmpty();
    }

    @Test
    void thePageIsNoWiderThanAPhone() {
        Map<String, Object> phone = Map.of("width", 360, "height", 740, "deviceScaleFactor", 2, "mobile", true);
        browser().executeCdpCommand("Emulation.setDeviceMetricsOverride", phone);
        try {
            assertThat((Long) evaluate("return document.documentElement.scrollWidth;"))
                    .isLessThanOrEqualTo(360L);
            settle();
            assertThat((Long) evaluate("""
                    return Math.round(Math.min.apply(null, Array.from(document.querySelectorAll('canvas')).map(
                      function (canvas) { return Chart.getChart(canvas).chartArea.height; })));"""))
                    .as("pixels of the axes that the legend leaves")
                    .isGreaterThan(180L);
        } finally {
            browser().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
            browser().manage().window().setSize(new Dimension(1200, 900));
        }
    }

    @Test
    void darkIsDarkAndLightIsLight() {
        assertThat(brightness("dark")).isLessThan(60);
        assertThat(brightness("light")).isGreaterThan(200);
    }

    private long brightness(String scheme) {
        browser()
                .executeCdpCommand(
                        "Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return (Long) evaluate("""
                var colour = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number);
                return Math.round((colour[0] + colour[1] + colour[2]) / 3);""");
    }

    private String rowClass(String kind) {
        return String.valueOf(browser()
                .findElement(By.cssSelector("#plans tr[data-kind='" + kind + "']"))
                .getDomAttribute("class"));
    }

    private List<String> curveNames() {
        return Arrays.asList(String.valueOf(evaluate("""
                return Chart.getChart('bits-curve').data.datasets.map(function (set) { return set.label; }).join(',');""")).split(",", -1));
    }

    private static String curveSum(String curve) {
        return "return Chart.getChart('" + curve + "').data.datasets.reduce(function (sum, set) {"
                + " return sum + set.data.reduce(function (all, point) { return all + point.y; }, 0); }, 0);";
    }

    private void set(String id, Object value) {
        enter(id, value);
        settle();
    }

    private void enter(String id, Object value) {
        browser()
                .executeScript(
                        "var field = document.getElementById(arguments[0]); field.value = arguments[1];"
                                + "field.dispatchEvent(new Event('input', {bubbles: true}));",
                        id,
                        value.toString());
    }

    /** Waits until the page has taken an input in. */
    private void settle() {
        browser().executeAsyncScript("setTimeout(arguments[arguments.length - 1], 120);");
    }

    private Object evaluate(String script) {
        return require(browser().executeScript(script));
    }

    private static Object require(@Nullable Object value) {
        if (value == null) {
            throw new AssertionError("the page answered nothing");
        }
        return value;
    }

    /** The first of these programs on the PATH. */
    private static Optional<File> program(String... names) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(names)
                .flatMap(name ->
                        Arrays.stream(path.split(File.pathSeparator, -1)).map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst();
    }
}
