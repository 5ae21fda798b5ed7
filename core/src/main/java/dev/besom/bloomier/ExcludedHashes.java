package dev.besom.bloomier;

import dev.besom.FilterFullException;
import dev.besom.LongApproximateMap;
import dev.besom.StoredHashes;
import dev.besom.bits.FastRange;
import dev.besom.compact.GolombGroups;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;

/**
 * Hashes that are not those of a list, in few bits: what is kept of most of them is a number that no key of the list has.
 *
 * <pre>
 *   hash --fastrange--&gt; number below 64 * keys of the list
 *
 *   numbers   compressed set of the numbers of excluded hashes
 *   whole     excluded hashes with a number that a key of the list has: one in 64
 * </pre>
 *
 * The hashes of one number are contiguous, so that one range read of the list's hashes tells whether a key has it. A hash of no
 * key whose number is there counts as excluded too, which is as good as true: no key of the list is among them.
 *
 * <p>The code of the numbers is made for as many as there are, to a factor of two, and made anew when there are more.
 *
 * <p>Cost: {@code log2(174 n / m)} bits for each of {@code m} excluded hashes beside {@code n} keys, and some four bits for what is kept
 * whole, for free bits of groups and for the index. A change moves up to two kilobytes.
 */
final class ExcludedHashes {

    /** Numbers for each key of the list: twice as many take a bit more each and halve what is kept whole, at 160 bits. */
    private static final long NUMBERS_PER_KEY = 64;

    private static final int FEWEST_PLANNED = 256;

    /** An index of numbers larger than that has no room in memory. */
    private static final long MOST_PLANNED = 1L << 32;

    private final long range;
    private GolombGroups numbers;
    private long numberCount;
    private long planned;
    private final WholeKeys whole;

    private ExcludedHashes(GolombGroups numbers, long planned, WholeKeys whole) {
        this.range = numbers.range();
        this.numbers = numbers;
        this.planned = planned;
        this.whole = whole;
    }

    /** None, beside a list of some keys. */
    static ExcludedHashes of(long listed) {
        return new ExcludedHashes(room(rangeFor(listed), FEWEST_PLANNED), FEWEST_PLANNED, new WholeKeys());
    }

    private static long rangeFor(long listed) {
        return NUMBERS_PER_KEY * Math.max(listed, FEWEST_PLANNED);
    }

    private static GolombGroups room(long range, long planned) {
        return GolombGroups.ofRange(range, Math.min(planned, range / 2));
    }

    boolean contains(long hash) {
        if (numberCount > 0) {
            long number = FastRange.place(hash, range);
            if (numbers.ceiling(number) == number) {
                return true;
            }
        }
        return whole.get(hash) != LongApproximateMap.ABSENT;
    }

    /**
     * Puts a hash in that is not there.
     *
     * @return false, and no change, if a key of the list has it
     */
    boolean add(long hash, StoredHashes listed) {
        long number = FastRange.place(hash, range);
        boolean[] isTaken = {false, false};
        listed.forEachBetween(FastRange.start(number, range), FastRange.end(number, range), key -> {
            isTaken[0] = true;
            isTaken[1] |= key == hash;
        });
        if (isTaken[1]) {
            return false;
        }
        if (isTaken[0] || !addNumber(number)) {
            whole.put(hash, 0);
        }
        return true;
    }

    /** Returns false if there is no room where the number belongs. */
    private boolean addNumber(long number) {
        if (numberCount >= planned && planned < MOST_PLANNED) {
            GolombGroups larger = room(range, 2 * planned);
            numbers.forEach(larger::insert);
            numbers = larger;
            planned *= 2;
        }
        try {
            numbers.insert(number);
        } catch (FilterFullException e) {
            return false;
        }
        numberCount++;
        return true;
    }

    long count() {
        return numberCount + whole.count();
    }

    long sizeInBits() {
        return numbers.sizeInBits() + whole.sizeInBits();
    }

    /** The share of all hashes that are excluded. */
    double share() {
        return (double) numberCount / range;
    }

    /** The fields of excluded hashes in the form of a kind. */
    static final class Fields {

        /** What a form says of its part. */
        static final String PART = "the numbers of excluded hashes, with the form golomb-groups";

        private final LongField numberCount;
        private final LongField planned;
        private final Section whole;

        /** Declares the fields. */
        Fields(ImageForm form) {
            this.numberCount = form.whole("excludedNumbers", "excluded hashes that are known by their number");
            this.planned = form.whole("plannedNumbers", "how many of these the code was made for");
            this.whole = form.section("whole", "excluded hashes that are kept whole, ascending, each followed by 0");
        }

        /** Adds the excluded hashes to an image. */
        ImageForm.Writer write(ImageForm.Writer writer, ExcludedHashes excluded) {
            return writer.set(numberCount, excluded.numberCount)
                    .set(planned, excluded.planned)
                    .set(whole, excluded.whole.section())
                    .part(excluded.numbers.image());
        }

        /** The excluded hashes of an image, whose next part they are, beside a list of some keys. */
        ExcludedHashes read(FilterImage image, FilterImage.Parts parts, long listed) {
            GolombGroups numbers = GolombGroups.read(parts.next(GolombGroups.FORM));
            image.check(numbers.range() == rangeFor(listed), "excluded numbers of another range");
            ExcludedHashes excluded = new ExcludedHashes(
                    numbers, image.get(planned, FEWEST_PLANNED, MOST_PLANNED), WholeKeys.read(image, whole, 1));
            excluded.numberCount = image.get(numberCount, 0, Long.MAX_VALUE);
            image.checkInvariants(excluded::checkInvariants);
            return excluded;
        }
    }

    private void checkInvariants() {
        if (!numbers.tally().equals(new GolombGroups.Tally(numberCount, numberCount))) {
            throw new IllegalStateException("a number of excluded hashes that is not that of the codes");
        }
    }
}
