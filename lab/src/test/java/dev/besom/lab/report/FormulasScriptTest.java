package dev.besom.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.lab.experiment.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/** The page's formulas, run without a browser. */
class FormulasScriptTest {

    /** Looks at every value and returns the differing ones as one text. */
    private static final String COMPARE = """
            var wrong = [];
            var count = 0;
            function compare(what, mine, theirs) {
              count++;
              var same = theirs === null ? !isFinite(mine) : Math.abs(mine - theirs) <= 1e-9 * Math.abs(theirs);
              if (!same) { wrong.push(what + ': ' + mine + ' here, ' + theirs + ' in Java'); }
            }
            var models = {};
            data.kinds.forEach(function (kind) { models[kind.kind] = kind.model; });
            data.checks.forEach(function (one) {
              var plan = Besom.plan(models[one.kind], one.keys, one.growth, one.fpp);
              ['bits', 'probes', 'rate'].forEach(function (name) {
                compare(one.kind + ' ' + one.keys + ' ' + one.growth + ' ' + one.fpp + ' ' + name, plan[name], one[name]);
              });
            });
            data.skewChecks.forEach(function (one) {
              compare('skew ' + one.skew, Besom.distinct(one.keys, one.skew, one.lookups), one.distinct);
            });
            data.rates.forEach(function (one) {
              compare(one.kind + ' rate', Besom.lowestRate(models[one.kind], 1e5, 1, 1.5e6), one.rate);
            });
            count + ';' + wrong.join('; ');
            """;

    @Test
    void everyValueOfThePageEqualsThatOfJava() throws IOException {
        Map<String, Object> data = Map.of(
                "kinds", Calculator.kinds(),
                "checks", Calculator.checks(),
                "skewChecks", Calculator.skewChecks(),
                "rates", PageData.lowestRates(1e5, 1.5e6));
        Context context = Context.enter();
        try {
            context.setLanguageVersion(Context.VERSION_ES6);
            Scriptable scope = context.initStandardObjects();
            context.evaluateString(scope, script(), "formulas.js", 1, null);
            context.evaluateString(scope, "var data = " + JsonText.write(data) + ";", "data", 1, null);
            String outcome = Context.toString(context.evaluateString(scope, COMPARE, "compare", 1, null));
            int semicolon = outcome.indexOf(';');
            assertThat(outcome.substring(semicolon + 1)).isEmpty();
            assertThat(Double.parseDouble(outcome.substring(0, semicolon)))
                    .isGreaterThan(20.0 * Calculator.kinds().size());
        } finally {
            Context.exit();
        }
    }

    private static String script() throws IOException {
        try (InputStream in = ReportPage.class.getResourceAsStream("formulas.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
