package dev.besom.codec;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
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
 * Filters' images as bytes, and back: one format for all kinds, specified byte by byte in {@code docs/format.md}. What
 * becomes of an image is the matter of its kind, by way of {@code dev.besom.filters.Filters}.
 *
 * <pre>
 *   +--------+---------+--------------------------------------------+-----+   +-----------+-----+
 *   | magic  | version | kind, hasher, parameters, section lengths  | CRC |   | section 0 | CRC |  ...
 *   +--------+---------+--------------------------------------------+-----+   +-----------+-----+
 *   |&lt;------------------------- header ---------------------------------&gt;|
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

    /** Reads one filter's image and leaves the stream right behind it. */
    public static ImageFile read(InputStream in) throws IOException {
        return read(in, Long.MAX_VALUE);
    }

    /** Reads the image of a file that holds one filter and nothing else. */
    public static ImageFile read(Path file) throws IOException {
        long length = Files.size(file);
        try (InputStream in = Files.newInputStream(file)) {
            ImageFile result = read(in, length);
            if (in.read() >= 0) {
                throw new MalformedFilterException("bytes follow the end of the filter");
            }
            return result;
        }
    }

    /** @param length how many bytes there are, or {@link Long#MAX_VALUE} where nobody knows */
    private static ImageFile read(InputStream in, long length) throws IOException {
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
        return new ImageFile(new FilterImage(header.kind(), header.parameters(), sections), header.hasher());
    }
}
