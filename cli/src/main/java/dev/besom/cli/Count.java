package dev.besom.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of things as people write it: {@code 1000000}, {@code 1_000_000}, {@code 1e6}, {@code 1M}, {@code 1.5k}. */
final class Count {

    private static final Pattern FORM =
            Pattern.compile("([+-]?\\d[\\d_]*(?:\\.\\d+)?(?:e\\d{1,2})?)([kmgt]?)", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kmgt";

    private Count() {}

    private static long parse(String text, long most) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            String unit = form.group(2).toLowerCase(Locale.ROOT);
            int power = unit.isEmpty() ? 0 : 3 * (UNITS.indexOf(unit) + 1);
            BigDecimal number = new BigDecimal(form.group(1).replace("_", "")).scaleByPowerOfTen(power);
            if (number.stripTrailingZeros().scale() <= 0 && number.abs().compareTo(BigDecimal.valueOf(most)) <= 0) {
                return number.longValueExact();
            }
        }
        throw new TypeConversionException(
                "'" + text + "' is not a whole number up to " + Numbers.whole(most) + ", such as 1000000, 1e6 or 1M");
    }

    /** Counts that fit 64 bits. */
    static final class OfLong implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text, Long.MAX_VALUE);
        }
    }

    /** Counts of what is kept in an array. */
    static final class OfInt implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, Integer.MAX_VALUE);
        }
    }
}
