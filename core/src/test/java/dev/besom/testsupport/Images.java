package dev.besom.testsupport;

import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;

/** Copies of images, as a file would give them back, and what the tests look for in them. */
public final class Images {

    private Images() {}

    public static FilterImage copy(FilterImage image) {
        return new FilterImage(
                image.kind(),
                parameters(image),
                image.sections().stream().map(long[]::clone).toList());
    }

    public static long[] parameters(FilterImage image) {
        long[] parameters = new long[image.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = image.parameter(i);
        }
        return parameters;
    }

    /** Where a section is in the images of a kind. */
    public static int sectionIndex(String kind, String section) {
        return Filters.kind(kind).form().sections().stream()
                .map(ImageForm.Field::name)
                .toList()
                .indexOf(section);
    }

    /** The words of a section by its name. */
    public static long[] section(FilterImage image, String section) {
        return image.sections().get(sectionIndex(image.kind(), section));
    }

    /** The image with one parameter changed. */
    public static FilterImage with(FilterImage image, int parameter, long value) {
        long[] parameters = parameters(image);
        parameters[parameter] = value;
        return new FilterImage(image.kind(), parameters, copy(image).sections());
    }

    /** The filter as it comes back from a copy of its image. */
    public static <F extends PersistentFilter> F saveAndLoad(F filter, Class<F> type) {
        return type.cast(read(copy(filter.image())));
    }

    public static PersistentFilter read(FilterImage image) {
        return Filters.toFilter(image, StoredHashes.none());
    }

    /** A checksum of the words of all sections, parameters not included. */
    public static long checksum(FilterImage image) {
        CRC32C crc = new CRC32C();
        for (long[] section : image.sections()) {
            ByteBuffer bytes =
                    ByteBuffer.allocate(Words.count(section) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asLongBuffer().put(section, Words.LEAD, Words.count(section));
            crc.update(bytes);
        }
        return crc.getValue();
    }

    /** The words of a section with no lead-in. */
    public static List<Long> words(FilterImage image, int section) {
        long[] words = image.sections().get(section);
        return Arrays.stream(words, Words.LEAD, words.length).boxed().toList();
    }

    public static long count(long[] hashes, LongPredicate answer) {
        return Arrays.stream(hashes).filter(answer).count();
    }

    public static void assertAllFound(MembershipFilter filter, long[] hashes) {
        for (long hash : hashes) {
            if (!filter.mightContainHash(hash)) {
                throw new AssertionError("hash " + hash + " is lost");
            }
        }
    }
}
