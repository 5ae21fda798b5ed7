package dev.besom.codec;

import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Filters as bytes, and back: one format for all kinds, specified byte by byte in {@code docs/format.md}.
 *
 * <pre>
 *   +--------+---------+--------------------------------------------+-----+   +-----------+-----+
 *   | magic  | version | kind, hasher, parameters, section lengths  | CRC |   | section 0 | CRC |  ...
 *   +--------+---------+--------------------------------------------+-----+   +-----------+-----+
 *   |<------------------------- header --------------------------------->|
 * </pre>
 *
 * Reading trusts nothing: every section has a checksum, sizes are believed only as far as bytes really follow, and each
 * kind checks its own state. Bytes that are not a whole filter are answered with {@link MalformedFilterException} and
 * with nothing else. The checksums find accidents, not forgers; a forged file with right checksums can hold a filter
 * that answers what the forger likes, but cannot harm the reader.
 *
 * <p>A reader of a stream allocates at most twice what it has read and half a megabyte; of a file, once its length.
 */
public final class FilterCodec {

    /** The version of the format that is written, and the only one that is read. */
    public static final int FORMAT_VERSION = Header.VERSION;

    private FilterCodec() {}

    /** How many bytes {@link #write(PersistentFilter, HasherStamp, OutputStream)} is going to write. */
    public static long serializedSizeInBytes(PersistentFilter filter, HasherStamp hasher) {
        FilterImage image = filter.image();
        long size = Header.of(image, hasher).toBytes().length;
        for (long[] section : image.sections()) {
            size += SectionFormat.sizeInBytes(Words.count(section));
        }
        return size;
    }

    /** Writes the filter and leaves the stream open. */
    public static void write(PersistentFilter filter, HasherStamp hasher, OutputStream out) throws IOException {
        write(filter.image(), hasher, out);
    }

    /** Writes a filter's image and leaves the stream open. */
    public static void write(FilterImage image, HasherStamp hasher, OutputStream out) throws IOException {
        Header header = Header.of(image, hasher);
        byte[] headerBytes = header.toBytes();
        out.write(headerBytes);
        SectionFormat format = new SectionFormat(Header.checksumOf(headerBytes));
        for (long[] section : image.sections()) {
            format.write(section, out);
        }
    }

    /**
     * Writes the filter to a file, whole or not at all: to a temporary file in the same folder, forced to disk, then
     * renamed over whatever was there.
     */
    public static void write(PersistentFilter filter, HasherStamp hasher, Path file) throws IOException {
        AtomicFile.write(file, channel -> write(filter, hasher, Channels.newOutputStream(channel)));
    }

    /** Reads a filter of a kind that does not adapt, or one to be asked only. */
    public static FilterFile read(InputStream in) throws IOException {
        return read(in, StoredHashes.none());
    }

    /** Reads one filter and leaves the stream right behind it. */
    public static FilterFile read(InputStream in, StoredHashes stored) throws IOException {
        return read(in, stored, Long.MAX_VALUE);
    }

    /** Reads a filter of a kind that does not adapt, or one to be asked only. */
    public static FilterFile read(Path file) throws IOException {
        return read(file, StoredHashes.none());
    }

    /** Reads a file that holds one filter and nothing else. */
    public static FilterFile read(Path file, StoredHashes stored) throws IOException {
        long length = Files.size(file);
        try (InputStream in = Files.newInputStream(file)) {
            FilterFile result = read(in, stored, length);
            if (in.read() >= 0) {
                throw new MalformedFilterException("bytes follow the end of the filter");
            }
            return result;
        }
    }

    /** @param length how many bytes there are, or {@link Long#MAX_VALUE} where nobody knows */
    private static FilterFile read(InputStream in, StoredHashes stored, long length) throws IOException {
        byte[] headerBytes = Header.readBytes(in);
        Header header = Header.parse(headerBytes);
        long announced = headerBytes.length;
        for (long words : header.sectionLengths()) {
            if (words < 0 || words > Words.MAX_COUNT) {
                throw new MalformedFilterException("a section of " + words + " words cannot be");
            }
            announced += SectionFormat.sizeInBytes(words);
        }
        boolean lengthKnown = length != Long.MAX_VALUE;
        if (lengthKnown && announced != length) {
            throw new MalformedFilterException("the header announces " + announced + " bytes, but there are " + length);
        }
        SectionFormat format = new SectionFormat(Header.checksumOf(headerBytes));
        List<long[]> sections = new ArrayList<>();
        for (long words : header.sectionLengths()) {
            sections.add(format.read(in, (int) words, lengthKnown));
        }
        FilterImage image = new FilterImage(header.kind(), header.parameters(), sections);
        return new FilterFile(Filters.read(image, stored), header.hasher());
    }
}
