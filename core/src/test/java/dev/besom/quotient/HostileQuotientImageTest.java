package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images that no filter wrote: each is refused, or it is one that some filter could have written. */
class HostileQuotientImageTest {

    private static final int CAPACITY = 150;

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-plain"})
    void anImageWithAnyOneBitOfItsTableFlippedIsRefusedOrAnswersWithoutHarm(String name) {
        Kind kind = Filters.kind(name);
        SortedHashes stored = new SortedHashes();
        PersistentFilter filter = filled(kind, stored);
        FilterImage image = filter.image();
        int refused = 0;
        int flipped = 0;
        for (int section = 0; section < image.sections().size(); section++) {
            long[] words = image.sections().get(section);
            for (int bit = Words.LEAD * 64; bit < words.length * 64; bit++) {
                FilterImage copy = Images.copy(image);
                copy.sections().get(section)[bit >>> 6] ^= 1L << bit;
                flipped++;
                if (!isAccepted(kind, copy, stored)) {
                    refused++;
                }
            }
        }
        // What a single bit can change unnoticed is a remainder, or a selector's value.
        assertThat(refused).isGreaterThan(flipped / 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-plain"})
    void imagesOfRandomBitsAreRefusedOrAnswerWithoutHarm(String name) {
        Kind kind = Filters.kind(name);
        SortedHashes stored = new SortedHashes();
        FilterImage image = filled(kind, stored).image();
        SplittableRandom random = new SplittableRandom(12);
        for (int round = 0; round < 3000; round++) {
            FilterImage copy = Images.copy(image);
            for (long[] words : copy.sections()) {
                if (words.length > Words.LEAD) {
                    int changes = 1 + random.nextInt(4);
                    for (int i = 0; i < changes; i++) {
                        int at = Words.LEAD + random.nextInt(words.length - Words.LEAD);
                        words[at] = random.nextInt(3) == 0 ? -1L : random.nextLong();
                    }
                }
            }
            assertThat(isAccepted(kind, copy, stored)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-plain"})
    void wrongParametersAndSectionsAreRefused(String name) {
        Kind kind = Filters.kind(name);
        SortedHashes stored = new SortedHashes();
        FilterImage image = filled(kind, stored).image();
        for (int parameter = 0; parameter < image.parameterCount(); parameter++) {
            if (parameter == 3) {
                continue; // any seed is a seed
            }
            for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 1L << 62}) {
                if (parameter == 5 && !Double.isNaN(Double.longBitsToDouble(value))) {
                    continue; // a spill that some filter could have
                }
                long[] parameters = Images.parameters(image);
                parameters[parameter] = value;
                FilterImage changed = new FilterImage(name, parameters, image.sections());
                assertThatThrownBy(() -> kind.read(changed, stored))
                        .as("parameter %d of %d", parameter, value)
                        .isInstanceOf(MalformedFilterException.class);
            }
        }
        for (int section = 0; section < image.sections().size(); section++) {
            List<long[]> longer = new ArrayList<>(image.sections());
            longer.set(section, Words.allocate(Words.count(longer.get(section)) + 1));
            assertThatThrownBy(() -> kind.read(new FilterImage(name, Images.parameters(image), longer), stored))
                    .isInstanceOf(MalformedFilterException.class);
        }
        assertThatThrownBy(() -> kind.read(new FilterImage(name, new long[] {1}, image.sections()), stored))
                .isInstanceOf(MalformedFilterException.class);
        assertThatThrownBy(() -> kind.read(new FilterImage(name, Images.parameters(image), List.of()), stored))
                .isInstanceOf(MalformedFilterException.class);
    }

    @Test
    void aSpilledFilterComesBackAsItWas() {
        SortedHashes stored = new SortedHashes();
        TelescopingFilter filter = TelescopingFilter.make(
                FilterSpec.of(CAPACITY, 0.3).with("remainderBits", "1").with("spill", "16"), stored);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < CAPACITY; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            filter.insertHash(hash);
        }
        for (int i = 0; i < 20_000; i++) {
            filter.repairHash(random.nextLong());
        }
        assertThat(filter.tagStatistics().spilledBlocks()).isPositive();
        TelescopingFilter again = TelescopingFilter.read(Images.copy(filter.image()), stored);
        assertThat(again.tagStatistics().histogram())
                .isEqualTo(filter.tagStatistics().histogram());
        for (int i = 0; i < 10_000; i++) {
            long hash = random.nextLong();
            assertThat(again.mightContainHash(hash)).isEqualTo(filter.mightContainHash(hash));
        }
        int index = Images.sectionIndex("telescoping", "spill");
        long[] spill = filter.image().sections().get(index);
        for (int at = Words.LEAD; at < spill.length; at++) {
            FilterImage copy = Images.copy(filter.image());
            copy.sections().get(index)[at] ^= 1L << 7;
            isAccepted(Filters.kind("telescoping"), copy, stored);
        }
    }

    /** Whether a reader takes an image; if so, everything that can be done with the filter must end normally. */
    private static boolean isAccepted(Kind kind, FilterImage image, SortedHashes stored) {
        PersistentFilter filter;
        try {
            filter = kind.read(image, stored);
        } catch (MalformedFilterException e) {
            return false;
        }
        for (int i = 0; i < stored.size(); i += 10) {
            filter.mightContainHash(stored.at(i));
        }
        return true;
    }

    private static PersistentFilter filled(Kind kind, SortedHashes stored) {
        PersistentFilter filter = kind.make(FilterSpec.of(CAPACITY, 0.2), stored);
        SplittableRandom random = new SplittableRandom(99);
        for (int i = 0; i < CAPACITY - 10; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            ((InsertableFilter) filter).insertHash(hash);
        }
        if (filter instanceof TelescopingFilter telescoping) {
            for (int i = 0; i < 300; i++) {
                telescoping.repairHash(random.nextLong());
            }
        }
        return filter;
    }
}
