package dev.besom.cli;

import java.util.Locale;

/** Numbers as people read them. */
final class Numbers {

    private static final String[] BYTE_UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Numbers() {}

    /** With thousands apart. */
    static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** With that many digits after the point; "-" for what is not a number. */
    static String fixed(double value, int digits) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "-";
    }

    /** A rate as a percentage with three significant digits. */
    static String percent(double rate) {
        if (!Double.isFinite(rate)) {
            return "-";
        }
        double percent = rate * 100;
        if (percent == 0 || percent >= 0.001) {
            int digits = percent >= 10 ? 1 : percent >= 1 || percent == 0 ? 2 : percent >= 0.1 ? 3 : 5;
            return fixed(percent, digits) + " %";
        }
        return String.format(Locale.ROOT, "%.2e %%", percent);
    }

    /** In the largest unit that leaves at least 1. */
    static String bytes(long count) {
        double value = count;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return (unit == 0 ? whole(count) : fixed(value, 1)) + " " + BYTE_UNITS[unit];
    }
}
