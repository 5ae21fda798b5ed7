package dev.besom.cli.keys;

import java.io.IOException;
import java.io.InputStream;
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

    /** Whether keys are numbers, not texts or bytes. */
    public boolean isNumeric() {
        return this == LONG_TEXT || this == LONG_LE;
    }

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

    /**
     * Reads keys that can be shown again. Lines must be UTF-8, and flows of packets cannot be shown. The hashing must
     * be for keys of this format.
     */
    KeyReader open(String name, InputStream in, KeyHashing hashing) {
        return switch (this) {
            case LINES -> new TextReader(name, in, hashing.ofTexts(), true);
            case LONG_TEXT -> new DecimalReader(name, in, hashing.ofNumbers());
            case LONG_LE -> new BinaryReader(name, in, hashing.ofNumbers());
            case PCAP -> throw new IllegalArgumentException("keys of format " + label() + " are hashes only");
        };
    }

    /** Reads the hashes of keys. Lines may be any bytes. The hashing must be for keys of this format. */
    HashReader openHashes(String name, InputStream in, KeyHashing hashing) throws IOException {
        return switch (this) {
            case LINES -> new TextReader(name, in, hashing.ofTexts(), false);
            case LONG_TEXT, LONG_LE -> open(name, in, hashing);
            case PCAP -> new FlowReader(PacketReader.open(name, in), hashing.ofTexts());
        };
    }
}
