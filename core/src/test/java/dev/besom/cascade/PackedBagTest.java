package dev.besom.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedBagTest {

    private static final ImageForm FORM = new ImageForm("bag");
    private static final ImageForm.Section NUMBERS = FORM.section("numbers", "in ascending order");

    @ParameterizedTest
    @CsvSource({"5, 3", "17, 400", "64, 2000", "1, 1"})
    void aBagHoldsWhatWasPutInAndNotTakenOut(int width, int distinct) {
        SplittableRandom random = new SplittableRandom(width);
        long mask = -1L >>> (64 - width);
        long[] numbers = random.longs(distinct).map(number -> number & mask).toArray();
        numbers[0] = 0;
        PackedBag bag = width == 64 ? PackedBag.ofHashes(100) : PackedBag.below(mask + 1, 100);
        Map<Long, Integer> truth = new HashMap<>();
        long count = 0;
        for (int step = 0; step < 20_000; step++) {
            long number = numbers[random.nextInt(distinct)];
            boolean isFilling = step / 2_000 % 2 == 0;
            if (random.nextInt(10) < (isFilling ? 7 : 3)) {
                bag.add(number);
                truth.merge(number, 1, Integer::sum);
                count++;
            } else {
                boolean isIn = truth.getOrDefault(number, 0) > 0;
                assertThat(bag.remove(number)).isEqualTo(isIn);
                if (isIn) {
                    truth.merge(number, -1, Integer::sum);
                    count--;
                }
            }
            assertThat(bag.count()).isEqualTo(count);
            assertThat(bag.isEmpty()).isEqualTo(count == 0);
            long queried = numbers[random.nextInt(distinct)];
            assertThat(bag.contains(queried)).isEqualTo(truth.getOrDefault(queried, 0) > 0);
        }
        PackedBag again =
                PackedBag.read(image(bag.toWords()), NUMBERS, bag.slotCount(), width == 64 ? 0 : mask + 1, 100);
        assertThat(again.toWords()).isEqualTo(bag.toWords());
        assertThat(again.sizeInBits()).isEqualTo(bag.sizeInBits());
    }

    @Test
    void aBagTakesMemoryAsNumbersComeAndGivesItBack() {
        PackedBag bag = PackedBag.below(1 << 20, 10_000);
        long planned = bag.sizeInBits();
        assertThat(planned).isBetween(10_000 * 20 * 4 / 3L, 10_000 * 20 * 4 / 3L + 200);
        long empty = bag.takenBits();
        assertThat(empty).isLessThan(planned / 100);
        for (int i = 0; i < 10_000; i++) {
            bag.add(i);
            assertThat(bag.sizeInBits()).isEqualTo(planned);
        }
        assertThat(bag.takenBits()).isLessThanOrEqualTo(planned);
        bag.add(10_000);
        bag.add(10_001);
        assertThat(bag.sizeInBits()).isGreaterThan(planned);
        for (int i = 0; i <= 10_001; i++) {
            bag.remove(i);
        }
        assertThat(bag.takenBits()).isEqualTo(empty);
    }

    @Test
    void whatABagWroteIsReadWhateverItWasPlannedFor() {
        for (int planned = 0; planned < 200; planned++) {
            PackedBag bag = PackedBag.below(1 << 20, planned);
            for (int i = 1; i <= 300; i++) {
                bag.add(i);
                assertThat(PackedBag.read(image(bag.toWords()), NUMBERS, bag.slotCount(), 1 << 20, planned)
                                .count())
                        .as("%d numbers where %d are planned", i, planned)
                        .isEqualTo(i);
            }
        }
    }

    @Test
    void sectionsThatNoBagWroteAreRefused() {
        for (long[] numbers : new long[][] {{1, 100}, {-1}, {5, 3}}) {
            long[] words = Words.allocate(numbers.length);
            System.arraycopy(numbers, 0, words, Words.LEAD, numbers.length);
            assertThatThrownBy(() -> PackedBag.read(image(words), NUMBERS, 16, 100, 0))
                    .as(Arrays.toString(numbers))
                    .isInstanceOf(MalformedFilterException.class);
        }
        long[] many = Words.allocate(13);
        Arrays.fill(many, Words.LEAD, many.length, 7);
        for (long slots : new long[] {0, 16, 15, 53, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> PackedBag.read(image(many), NUMBERS, slots, 100, 0))
                    .as(slots + " slots")
                    .isInstanceOf(MalformedFilterException.class);
        }
        assertThat(PackedBag.read(image(many), NUMBERS, 18, 100, 0).count()).isEqualTo(13);
    }

    private static FilterImage image(long[] words) {
        return FORM.write().set(NUMBERS, words).image();
    }
}
