package dev.besom.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An amount of memory as people write it: bytes, or with a letter for a power of 1024.
 *
 * @param bytes at least 1
 */
record MemorySize(long bytes) {

    private static final Pattern FORM =
            Pattern.compile("(\\d+(?:\\.\\d+)?)([kmgt]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kmgt";

    /** No machine has more. */
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(1L << 50);

    long bits() {
        return bytes * Byte.SIZE;
    }

    /** Reads it from the command line. */
    static final class Converter implements ITypeConverter<MemorySize> {
        @Override
        public MemorySize convert(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw new TypeConversionException(
                        "must be a number of bytes, or one with K, M, G or T, not '" + text + "'");
            }
            String unit = form.group(2).toLowerCase(Locale.ROOT);
            int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1;
            BigDecimal bytes = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(1L << (10 * power)));
            if (bytes.compareTo(BigDecimal.ONE) < 0 || bytes.compareTo(MOST_BYTES) > 0) {
                throw new TypeConversionException("must be from 1 byte to 1024T, not '" + text + "'");
            }
            return new MemorySize(bytes.longValue());
        }
    }
}
