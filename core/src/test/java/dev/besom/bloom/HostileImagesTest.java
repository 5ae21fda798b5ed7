package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
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
        if (kind.name().equals(CountingBloomFilter.KIND)) {
            // The counters are all there is: any number of them is a filter.
            assertRefused(withSection(imageOf(kind), 0, Words.allocate(0)));
            return;
        }
        FilterImage image = imageOf(kind);
        int right = Words.count(image.sections().get(0));
        for (int length : new int[] {0, right - 1, right + 1, 1000}) {
            assertRefused(withSection(image, 0, Words.allocate(length)));
        }
        assertRefused(withSection(image, 0, new long[Words.LEAD - 1]));
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
        FilterImage bloom = imageOf(Filters.kind("bloom"));
        assertParameterRefused(bloom, 0, 0, -64, 1, bloom.parameter(0) + 1, bloom.parameter(0) - 64, -1L >>> 1 & -64);
        assertParameterRefused(bloom, 1, 0, -1, 65, 1L << 32 | 3);
        assertParameterRefused(bloom, 2, -1, 0, 3, 8, 1L << 32 | 4);
        assertParameterRefused(bloom, 4, -1, Long.MIN_VALUE);
        FilterImage blocked = imageOf(Filters.kind("blocked-bloom"));
        assertParameterRefused(blocked, 0, 0, -512, 64, blocked.parameter(0) + 512);
        assertParameterRefused(blocked, 1, -2, 0, 1, 3, 8, 1L << 32 | 2);
        assertParameterRefused(blocked, 2, -1, 0, 7, 1L << 32 | 1);
        assertParameterRefused(blocked, 4, -1);
        assertParameterRefused(blocked, 5, 0, 1, 3, 1L << 32 | 2);
        FilterImage counting = imageOf(Filters.kind("counting-bloom"));
        assertParameterRefused(counting, 0, 0, -1, 65, 1L << 32 | 3);
        assertParameterRefused(counting, 2, -1);
        FilterImage composite = imageOf(Filters.kind("composite-bloom"));
        assertParameterRefused(composite, 0, 0, 1, -64);
        assertParameterRefused(composite, 5, 0, 1, -64);
        assertParameterRefused(composite, 6, 0, 65);
        assertParameterRefused(composite, 9, -1);
        assertParameterRefused(composite, 10, 0, -1);
        assertParameterRefused(composite, 11, -1);
        FilterImage scalable = imageOf(Filters.kind("scalable-bloom"));
        assertParameterRefused(scalable, 0, 0, -1, -1L >>> 1, 1L << 62);
        assertParameterRefused(
                scalable,
                1,
                Double.doubleToRawLongBits(0),
                Double.doubleToRawLongBits(1),
                Double.doubleToRawLongBits(-0.5),
                Double.doubleToRawLongBits(Double.NaN),
                Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
        assertParameterRefused(scalable, 4, 0, 65);
        assertParameterRefused(scalable, 9, 0, 65);
    }

    @Test
    void keysPutBackOutOfOrderOrTwiceAreRefused() {
        FilterImage image = imageOf(Filters.kind("composite-bloom"));
        assertRefused(withSection(image, 2, words(2, 1)));
        assertRefused(withSection(image, 2, words(1, 1)));
        assertRefused(withSection(image, 2, words(0, 0)));
        assertRefused(withSection(image, 2, words(1, -1)));
        readAndUse(withSection(image, 2, words(-1, 0, 1)));
    }

    @Test
    void layersWithoutEndAreRefused() {
        long[] parameters = new long[3 + 5 * 63];
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
