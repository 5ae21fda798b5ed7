package dev.besom.lab.report;

import java.util.Locale;

/** Numbers as they stand in sentences. */
final class Wording {

    private Wording() {}

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static String percent(double share) {
        return share == 0 ? "0 %" : text("%s %%", number(100 * share));
    }

    /** With two digits that count, or all before the point. */
    static String number(double value) {
        if (value == Math.rint(value) || Math.abs(value) >= 100) {
            return text("%,.0f", value);
        }
        return text("%." + (int) Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value)))) + "f", value);
    }
}
