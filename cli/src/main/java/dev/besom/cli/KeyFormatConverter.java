package dev.besom.cli;

import dev.besom.lab.keys.KeyFormat;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The format of keys that are shown again or come from standard input: all but captures of packets. */
final class KeyFormatConverter implements ITypeConverter<KeyFormat> {

    private static final Set<KeyFormat> KNOWN = EnumSet.complementOf(EnumSet.of(KeyFormat.PCAP));

    @Override
    public KeyFormat convert(String text) {
        for (KeyFormat format : KNOWN) {
            if (format.label().equals(text)) {
                return format;
            }
        }
        throw new TypeConversionException("unknown format '" + text + "'; there are "
                + KNOWN.stream().map(KeyFormat::label).collect(Collectors.joining(", ")));
    }
}
