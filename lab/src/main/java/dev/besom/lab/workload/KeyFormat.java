package dev.besom.lab.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How keys stand in a file. */
public enum KeyFormat {
    /** Lines of text, ended by LF or CR LF; the empty line is the empty key. */
    LINES,
    /** Lines that are signed decimal numbers of 64 bits. */
    LONG_TEXT,
    /** Numbers of 64 bits, little-endian, with nothing between. */
    LONG_LE,
    /** A packet capture, classic or pcapng: a packet's key is its addresses, ports and protocol. */
    PCAP;

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The format of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static KeyFormat of(String label) {
        for (KeyFormat format : values()) {
            if (format.label().equals(label)) {
                return format;
            }
        }
        throw new IllegalArgumentException("unknown format '" + label + "'; known: "
                + Arrays.stream(values()).map(KeyFormat::label).collect(Collectors.joining(", ")));
    }
}
