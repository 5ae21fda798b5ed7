package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Images that no filter made are refused with the one exception for it, before they can do harm. */
class HostileImagesTest {

    private static final long[] ODD_NUMBERS = {
        Long.MIN_VALUE, -64, -1, 0, 1, 3, 5, 7, 63, 64, 65, 512, 1L << 31, 1L << 32, (1L << 32) + 2, 1L << 62, -1L >>> 1
    };

    static List<Kind> kinds() {
        return BloomKinds.all();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void imagesOfAnotherFormAreRefused(Kind kind) {
        FilterImage image = imageOf(kind);
        long[] parameters = Images.parameters(image);
        List<long[]> sections = image.sections();
        List<long[]> more = new ArrayList<>(sections);
        more.add(Words.allocate(1));
        assertRefused(new FilterImage(kind.name(), Arrays.copyOf(parameters, parameters.length - 1), sections));
        assertRefused(new FilterImage(kind.name(), Arrays.copyOf(parameters, parameters.length + 1), sections));
        assertRefused(new FilterImage(kind.name(), new long[0], List.of()));
        assertRefused(new FilterImage(kind.name(), new long[0], sections));
        assertRefused(new FilterImage(kind.name(), parameters, sections.subList(0, sections.size() - 1)));
        assertRefused(new FilterImage(kind.name(), parameters, more));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sectionsOfAnotherLengthAreRefused(Kind kind) {
        FilterImage image = imageOf(kind);
        // The last section of each kind has bits or counters in a number that the parameters say, or hashes in a list.
        boolean isList = kind.name().equals(BalancedBloomFilter.KIND);
        int section = isList ? 0 : image.sections().size() - 1;
        int right = Words.count(image.sections().get(section));
        for (int length : new int[] {0, right - 1, right + 1, 1000}) {
            assertRefused(withSection(image, section, Words.allocate(length)));
        }
        assertRefused(withSection(image, section, new long[Words.LEAD - 1]));
    }

    /** Each parameter takes each odd value in turn: the image is refused, or it makes a filter that works. */
    @ParameterizedTest
    @MethodSource("kinds")
    void anyParameterMayBeWrong(Kind kind) {
        FilterImage image = imageOf(kind);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < image.parameterCount(); i++) {
            for (long value : ODD_NUMBERS) {
                readAndUse(Images.with(image, i, value));
            }
            for (int round = 0; round < 50; round++) {
                readAndUse(Images.with(image, i, random.nextLong() >>> random.nextInt(64)));
            }
        }
    }

    @Test
    void impossibleParametersAreRefused() {
        Kind bloom = Filters.kind("bloom");
        long size = imageOf(bloom).parameter(place(bloom, "bits"));
        assertFieldRefused(bloom, "bits", 0, -64, 1, size + 1, size - 64, size - 512, -1L >>> 1 & -64);
        assertFieldRefused(bloom, "probes", 0, -1, 65, 1L << 32 | 3);
        assertFieldRefused(bloom, "scheme", -1, 5, 8, 1L << 32);
        assertFieldRefused(bloom, "count", -1, Long.MIN_VALUE);
        Kind blocked = Filters.kind("blocked-bloom");
        long blocks = imageOf(blocked).parameter(place(blocked, "bits"));
        assertFieldRefused(blocked, "bits", 0, -512, 64, blocks + 512);
        assertFieldRefused(blocked, "block bits", 0, 64, 255, 384, 1024, 1L << 32 | 512);
        assertFieldRefused(blocked, "groups", -2, 0, 1, 3, 8, 1L << 32 | 2);
        assertFieldRefused(blocked, "bits per group", -1, 0, 7, 1L << 32 | 1);
        assertFieldRefused(blocked, "count", -1);
        Kind counting = Filters.kind("counting-bloom");
        assertFieldRefused(counting, "counters", 0, -1, 1, 1L << 62);
        assertFieldRefused(counting, "counter bits", 0, 1, 16, 17, 1L << 32 | 4);
        assertFieldRefused(counting, "probes", 0, -1, 65, 1L << 32 | 3);
        assertFieldRefused(counting, "count", -1);
        Kind composite = Filters.kind("composite-bloom");
        assertFieldRefused(composite, "removals", 0, -1);
        assertFieldRefused(composite, "count", -1);
        assertPartRefused(composite, 0, "bits", 0, 1, -64);
        assertPartRefused(composite, 1, "bits", 0, 1, -64);
        assertPartRefused(composite, 1, "probes", 0, 65);
        assertPartRefused(composite, 1, "count", -1);
        Kind scalable = Filters.kind("scalable-bloom");
        assertFieldRefused(scalable, "capacity", 0, -1, -1L >>> 1, 1L << 62);
        assertFieldRefused(
                scalable,
                "rate",
                Double.doubleToRawLongBits(0),
                Double.doubleToRawLongBits(1),
                Double.doubleToRawLongBits(-0.5),
                Double.doubleToRawLongBits(Double.NaN),
                Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
        assertPartRefused(scalable, 0, "probes", 0, 65);
        assertPartRefused(scalable, 1, "probes", 0, 65);
    }

    @Test
    void keysPutBackOutOfOrderOrTwiceAreRefused() {
        FilterImage image = imageOf(Filters.kind("composite-bloom"));
        assertRefused(withSection(image, 0, words(2, 1)));
        assertRefused(withSection(image, 0, words(1, 1)));
        assertRefused(withSection(image, 0, words(0, 0)));
        assertRefused(withSection(image, 0, words(1, -1)));
        readAndUse(withSection(image, 0, words(-1, 0, 1)));
    }

    @Test
    void aCompositeHasTwoFilters() {
        FilterImage image = imageOf(Filters.kind("composite-bloom"));
        int part = BloomFilter.FORM.fields().size();
        long[] three = Arrays.copyOf(Images.parameters(image), image.parameterCount() + part);
        System.arraycopy(three, image.parameterCount() - part, three, image.parameterCount(), part);
        List<long[]> sections = new ArrayList<>(image.sections());
        sections.add(image.sections().get(2));
        assertRefused(new FilterImage(image.kind(), three, sections));
    }

    @Test
    void layersWithoutEndAreRefused() {
        long[] parameters = new long
                [ScalableBloomFilter.FORM.fields().size()
                        + BloomFilter.FORM.fields().size() * 63];
        List<long[]> sections = new ArrayList<>();
        for (int i = 0; i < 63; i++) {
            sections.add(Words.allocate(1));
        }
        assertRefused(new FilterImage("scalable-bloom", parameters, sections));
        assertRefused(new FilterImage("scalable-bloom", new long[3], List.of()));
    }

    @Test
    void aKindThatIsNotKnownIsRefused() {
        assertThatThrownBy(() -> Images.read(new FilterImage("magic", new long[0], List.of())))
                .isInstanceOf(MalformedFilterException.class)
                .hasMessage("kind 'magic' is not known to this version");
    }

    /** The index of a field among the parameters of an image. */
    private static int place(Kind kind, String field) {
        List<String> names =
                kind.form().fields().stream().map(ImageForm.Field::name).toList();
        return names.indexOf(field);
    }

    private static void assertFieldRefused(Kind kind, String field, long... values) {
        assertParameterRefused(imageOf(kind), place(kind, field), values);
    }

    /** Refuses values of a field of one of the Bloom filters that are parts of a filter. */
    private static void assertPartRefused(Kind kind, int part, String field, long... values) {
        Kind bloom = Filters.kind("bloom");
        int first = kind.form().fields().size() + part * bloom.form().fields().size();
        assertParameterRefused(imageOf(kind), first + place(bloom, field), values);
    }

    private static void assertParameterRefused(FilterImage image, int parameter, long... values) {
        for (long value : values) {
            assertRefused(Images.with(image, parameter, value));
        }
    }

    private static void assertRefused(FilterImage image) {
        assertThatThrownBy(() -> Images.read(image))
                .as("%s %s", image.kind(), Arrays.toString(Images.parameters(image)))
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageStartingWith(image.kind() + ": ");
    }

    private static void readAndUse(FilterImage image) {
        InsertableFilter filter;
        try {
            filter = (InsertableFilter) Images.read(image);
        } catch (MalformedFilterException refused) {
            return;
        }
        filter.mightContainHash(1);
        filter.expectedFpp();
        filter.count();
        filter.insertHash(1);
        if (!filter.mightContainHash(1)) {
            throw new AssertionError("a key is lost: " + Arrays.toString(Images.parameters(image)));
        }
    }

    private static FilterImage imageOf(Kind kind) {
        PersistentFilter filter = kind.make(FilterSpec.of(10, 0.1), StoredHashes.none());
        InsertableFilter insertable = (InsertableFilter) filter;
        for (int i = 0; i < 15; i++) {
            insertable.insertHash(i * 0x9E3779B97F4A7C15L);
        }
        return Images.copy(filter.image());
    }

    private static FilterImage withSection(FilterImage image, int section, long[] words) {
        List<long[]> sections = new ArrayList<>(Images.copy(image).sections());
        sections.set(section, words);
        return new FilterImage(image.kind(), Images.parameters(image), sections);
    }

    private static long[] words(long... values) {
        long[] words = Words.allocate(values.length);
        System.arraycopy(values, 0, words, Words.LEAD, values.length);
        return words;
    }
}
