package dev.besom.cli;

import dev.besom.cli.keys.KeyFormat;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The formats of keys of which only hashes count: all there are. */
final class KeyFormatConverter implements ITypeConverter<KeyFormat> {

    @Override
    public KeyFormat convert(String text) {
        return find(text, EnumSet.allOf(KeyFormat.class));
    }

    /** The formats of keys that are shown again or come from standard input: all but captures of packets. */
    static final class OfShownKeys implements ITypeConverter<KeyFormat> {
        @Override
        public KeyFormat convert(String text) {
            return find(text, EnumSet.complementOf(EnumSet.of(KeyFormat.PCAP)));
        }
    }

    private static KeyFormat find(String text, Set<KeyFormat> known) {
        for (KeyFormat format : known) {
            if (format.label().equals(text)) {
                return format;
            }
        }
        throw new TypeConversionException("unknown format '" + text + "'; there are "
                + known.stream().map(KeyFormat::label).collect(Collectors.joining(", ")));
    }
}
