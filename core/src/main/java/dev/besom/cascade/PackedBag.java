package dev.besom.cascade;

import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;

/**
 * A multiset of numbers in as few bits as they need: dead cells, dead fingerprints, and the hashes of the last level.
 *
 * <pre>
 *   slots   | 0 | 17 | 0 | 0 | 5 | 5 | 0 | 9 | ...        0: free; the number 0 itself is only counted
 *                              ^ home of 5, the second 5 right behind it
 * </pre>
 *
 * Linear probing at a load of at most 3/4. A number that is taken out leaves no mark: those behind it move up. Memory
 * is taken as numbers come, and given back once three quarters have gone. The size of a bag is at least that of the
 * numbers it is planned for, so that a filter that has learned nothing does not look smaller than it will be.
 *
 * <p>Cost: a query reads one or two neighbouring cache lines; 1.3 to 1.7 times the bits of a number for each.
 */
final class PackedBag {

    private static final int FEWEST_SLOTS = 16;

    private final int widthInBits;

    /** Slots for the numbers that are planned. */
    private final long plannedSlots;

    private PackedArray slots;
    private long slotCount;
    private long used;
    private long zeros;

    private PackedBag(int widthInBits, long planned, long slotCount) {
        this.widthInBits = widthInBits;
        this.plannedSlots = Math.max(FEWEST_SLOTS, planned + planned / 3 + 1);
        this.slotCount = slotCount;
        this.slots = new PackedArray(slotCount, widthInBits);
    }

    /** An empty bag for whole hashes, so many of them as planned. */
    static PackedBag ofHashes(long planned) {
        return new PackedBag(Long.SIZE, planned, FEWEST_SLOTS);
    }

    /** An empty bag for numbers below a bound. */
    static PackedBag below(long bound, long planned) {
        return new PackedBag(widthBelow(bound), planned, FEWEST_SLOTS);
    }

    private static int widthBelow(long bound) {
        return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(bound - 1));
    }

    boolean isEmpty() {
        return (used | zeros) == 0;
    }

    long count() {
        return used + zeros;
    }

    boolean contains(long number) {
        return number == 0 ? zeros > 0 : slots.get(placeOf(number)) != 0;
    }

    /** How often a number is in. */
    long countOf(long number) {
        if (number == 0) {
            return zeros;
        }
        long found = 0;
        long place = home(number);
        for (long held = slots.get(place); held != 0; held = slots.get(place)) {
            found += held == number ? 1 : 0;
            place = next(place);
        }
        return found;
    }

    void add(long number) {
        if (number == 0) {
            zeros++;
            return;
        }
        if (isTooFull(used + 1, slotCount)) {
            long more = slotCount * 5 / 4;
            // The planned slots may be next to none more than there are.
            boolean isPlanEnough = slotCount < plannedSlots && !isTooFull(used + 1, plannedSlots);
            resize(isPlanEnough ? Math.min(more, plannedSlots) : more);
        }
        put(number);
    }

    private static boolean isTooFull(long numbers, long slotCount) {
        return numbers * 4 > slotCount * 3;
    }

    private void put(long number) {
        long place = home(number);
        while (slots.get(place) != 0) {
            place = next(place);
        }
        slots.set(place, number);
        used++;
    }

    /** Takes the number out once; false if it was not in. */
    boolean remove(long number) {
        if (!contains(number)) {
            return false;
        }
        if (number == 0) {
            zeros--;
            return true;
        }
        long free = placeOf(number);
        for (long place = next(free); ; place = next(place)) {
            long moving = slots.get(place);
            if (moving == 0) {
                break;
            }
            // It may move up if its home is not between the free place and where it is.
            if (distance(home(moving), place) >= distance(free, place)) {
                slots.set(free, moving);
                free = place;
            }
        }
        slots.set(free, 0);
        used--;
        if (used * 4 < slotCount && slotCount > FEWEST_SLOTS) {
            resize(Math.max(FEWEST_SLOTS, used * 2));
        }
        return true;
    }

    private void resize(long newSlotCount) {
        PackedArray old = slots;
        slots = new PackedArray(newSlotCount, widthInBits);
        slotCount = newSlotCount;
        used = 0;
        for (long place = 0; place < old.length(); place++) {
            long number = old.get(place);
            if (number != 0) {
                put(number);
            }
        }
    }

    /** Where a number is, or the free place that ends the search for it. */
    private long placeOf(long number) {
        long place = home(number);
        long found = slots.get(place);
        while (found != 0 && found != number) {
            place = next(place);
            found = slots.get(place);
        }
        return place;
    }

    private long home(long number) {
        return FastRange.place(Mix.mix(number), slotCount);
    }

    private long next(long place) {
        return place + 1 == slotCount ? 0 : place + 1;
    }

    private long distance(long from, long to) {
        return to >= from ? to - from : to - from + slotCount;
    }

    long slotCount() {
        return slotCount;
    }

    long sizeInBits() {
        return Math.max(slots.sizeInBits(), (plannedSlots * widthInBits + 2 * Long.SIZE - 1) & -Long.SIZE);
    }

    /** The memory that is taken now. */
    long takenBits() {
        return slots.sizeInBits();
    }

    /** All numbers in ascending order, as a section of an image. */
    long[] toWords() {
        long[] words = Words.allocate(count());
        int at = Words.LEAD + (int) zeros;
        for (long place = 0; place < slotCount; place++) {
            long number = slots.get(place);
            if (number != 0) {
                words[at++] = number;
            }
        }
        Arrays.sort(words, Words.LEAD, words.length);
        return words;
    }

    /**
     * The bag of an image.
     *
     * @param from the numbers
     * @param slotCount how many slots it has
     * @param bound of numbers from 0 on, which is left out; any numbers where it is 0
     */
    static PackedBag read(FilterImage image, Section from, long slotCount, long bound, long planned) {
        long[] words = image.get(from);
        long most = Words.count(words);
        image.check(
                slotCount >= FEWEST_SLOTS && slotCount <= Math.max(FEWEST_SLOTS, 4 * most),
                most + " numbers in " + slotCount + " slots cannot be");
        PackedBag bag = new PackedBag(bound == 0 ? Long.SIZE : widthBelow(bound), planned, slotCount);
        for (int i = Words.LEAD; i < words.length; i++) {
            long number = words[i];
            if (bound != 0 && (number < 0 || number >= bound)) {
                throw image.malformed(number + " is out of range");
            }
            image.check(i == Words.LEAD || words[i - 1] <= number, "numbers are out of order");
            image.check(number == 0 || !isTooFull(bag.used + 1, slotCount), "a table is too full");
            if (number == 0) {
                bag.zeros++;
            } else {
                bag.put(number);
            }
        }
        return bag;
    }
}
