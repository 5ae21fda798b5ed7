package dev.besom.quotient.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The quick way against a walk through the whole table, for every quotient and for remainders that are near misses. */
class ShortRunsTest {

    private static final int METADATA_WORDS = SlotLayout.TAGS + 1;

    /** How a table's quotients are drawn. */
    private enum Crowd {
        EVEN,
        HEAPS,
        ONE_HEAP
    }

    private long seed;
    private long withoutRun;
    private long shortOnes;
    private long beyondBlock;
    private long tooLong;
    private long behindLargeOffset;
    private long behindSaturatedOffset;

    @Test
    void everyRunIsFoundAsAWalkFindsItAtAllWidthsLoadsAndCrowds() {
        for (int bits = 1; bits <= SlotLayout.MAX_REMAINDER_BITS; bits++) {
            for (Crowd crowd : Crowd.values()) {
                for (int percent : new int[] {5, 50, 90, 95, 99}) {
                    compareWithWalk(bits, crowd, percent);
                }
            }
        }
        assertThat(withoutRun).isPositive();
        assertThat(shortOnes).isPositive();
        assertThat(beyondBlock).isPositive();
        assertThat(tooLong).isPositive();
        assertThat(behindLargeOffset).isPositive();
        assertThat(behindSaturatedOffset).isPositive();
    }

    @Test
    void aRunThatFillsItsBlockIsTheFirstThatIsTooLongForRemaindersOfOneBit() {
        Runs runs = new Runs(new Slots(new SlotLayout(METADATA_WORDS, 1, 128, 3)));
        ShortRuns shortRuns = new ShortRuns(runs);
        for (int length = 1; length < Long.SIZE; length++) {
            open(runs, 64, 1);
            int place = shortRuns.find(64);
            assertThat(ShortRuns.length(place)).isEqualTo(length);
            assertThat(shortRuns.holds(64, place, 1)).isTrue();
            assertThat(shortRuns.holds(64, place, 0)).isFalse();
        }
        open(runs, 64, 1);
        assertThat(shortRuns.find(64)).isEqualTo(ShortRuns.NONE);
    }

    private void compareWithWalk(int bits, Crowd crowd, int percent) {
        int slotCount = 64 * 9 + 17;
        SplittableRandom random = new SplittableRandom(seed++);
        Slots slots = new Slots(new SlotLayout(METADATA_WORDS, bits, slotCount, 12));
        Runs runs = new Runs(slots);
        List<List<Long>> model = new ArrayList<>();
        for (int quotient = 0; quotient < slotCount; quotient++) {
            model.add(new ArrayList<>());
        }
        for (int i = 0; i < slotCount * percent / 100; i++) {
            int quotient = quotient(crowd, slotCount, random);
            long remainder = random.nextLong() & slots.remainderMask;
            if (open(runs, quotient, remainder)) {
                model.get(quotient).add(remainder);
            }
        }
        for (int block = 0; block < slots.layout.blockCount(); block++) {
            slots.words[slots.layout.base(block) + SlotLayout.TAGS] = random.nextLong();
        }
        ShortRuns shortRuns = new ShortRuns(runs);
        RunWalk walk = new RunWalk(runs);
        boolean isRun = walk.next();
        for (int quotient = 0; quotient < slotCount; quotient++) {
            if (isRun && walk.quotient() == quotient) {
                compare(runs, shortRuns, quotient, walk, model.get(quotient), random);
                isRun = walk.next();
            } else {
                withoutRun++;
                int place = shortRuns.find(quotient);
                require(place >= 0 && ShortRuns.length(place) == 0, "a run where there is none", quotient, bits);
                require(shortRuns.bits(quotient, place, SlotLayout.TAGS) == 0, "bits of no slot", quotient, bits);
                for (long remainder : nearMisses(model, quotient, slots.remainderMask, random)) {
                    require(!shortRuns.holds(quotient, place, remainder), "a remainder of no run", quotient, bits);
                }
            }
        }
    }

    private void compare(
            Runs runs, ShortRuns shortRuns, int quotient, RunWalk walk, List<Long> held, SplittableRandom random) {
        Slots slots = runs.slots;
        int bits = slots.remainderBits;
        int block = SlotLayout.block(quotient);
        int length = (int) (walk.end() - walk.start() + 1);
        long offset = runs.offset(block);
        boolean endsElsewhere = SlotLayout.block(walk.end()) != block;
        boolean isTooLong = length > Math.min(Long.SIZE / bits, Long.SIZE - 1);
        int place = shortRuns.find(quotient);
        require(place < 0 == (endsElsewhere || isTooLong || offset >= Long.SIZE), "a wrong choice", quotient, bits);
        beyondBlock += endsElsewhere ? 1 : 0;
        tooLong += isTooLong ? 1 : 0;
        behindLargeOffset += offset >= Long.SIZE ? 1 : 0;
        behindSaturatedOffset += offset >= SlotLayout.OFFSET_SATURATED ? 1 : 0;
        if (place < 0) {
            return;
        }
        shortOnes++;
        require(ShortRuns.length(place) == length, "a wrong length", quotient, bits);
        require(ShortRuns.start(quotient, place) == walk.start(), "a wrong start", quotient, bits);
        long tags = slots.words[slots.layout.base(block) + SlotLayout.TAGS];
        long expected = tags >>> walk.start() & (1L << length) - 1;
        require(shortRuns.bits(quotient, place, SlotLayout.TAGS) == expected, "other slots' bits", quotient, bits);
        List<List<Long>> one = List.of(held);
        for (long remainder : nearMisses(one, 0, slots.remainderMask, random)) {
            require(
                    shortRuns.holds(quotient, place, remainder) == held.contains(remainder),
                    "a wrong answer for remainder " + remainder,
                    quotient,
                    bits);
        }
    }

    /** All remainders where there are few; otherwise those of the quotient and its neighbours, those beside them, and others. */
    private static List<Long> nearMisses(List<List<Long>> model, int quotient, long mask, SplittableRandom random) {
        List<Long> queried = new ArrayList<>();
        if (mask < 64) {
            for (long remainder = 0; remainder <= mask; remainder++) {
                queried.add(remainder);
            }
            return queried;
        }
        for (int near = Math.max(0, quotient - 2); near <= Math.min(model.size() - 1, quotient + 2); near++) {
            for (long remainder : model.get(near)) {
                queried.addAll(List.of(remainder, (remainder + 1) & mask, (remainder - 1) & mask, remainder ^ 1 << 6));
            }
        }
        for (int i = 0; i < 8; i++) {
            queried.add(random.nextLong() & mask);
        }
        queried.addAll(List.of(0L, mask));
        return queried;
    }

    private static int quotient(Crowd crowd, int slotCount, SplittableRandom random) {
        int even = random.nextInt(slotCount);
        return switch (crowd) {
            case EVEN -> even;
            case HEAPS -> random.nextInt(3) == 0 ? even : even / 60 * 60 + random.nextInt(3);
            case ONE_HEAP -> random.nextInt(3) == 0 ? even : 70 + random.nextInt(2);
        };
    }

    /** Adds a remainder at the end of a quotient's run; false if there is no free slot behind it. */
    private static boolean open(Runs runs, long quotient, long remainder) {
        long at = runs.isOccupied(quotient) ? runs.runEnd(quotient) + 1 : runs.newRunAt(quotient);
        long free = runs.firstFree(at);
        if (free >= runs.slots.layout.totalSlots()) {
            return false;
        }
        runs.open(quotient, at, free, remainder, true);
        return true;
    }

    private static void require(boolean holds, String fault, int quotient, int bits) {
        if (!holds) {
            throw new AssertionError(fault + ": quotient " + quotient + ", remainders of " + bits + " bits");
        }
    }
}
