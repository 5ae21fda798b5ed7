package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.OCCUPIED;
import static dev.besom.quotient.slots.SlotLayout.RUN_ENDS;

import dev.besom.bits.Words;

/** Checks a table of slots bit by bit, whatever it holds: used on bytes from outside as well as after each test step. */
public final class RunCheck {

    private RunCheck() {}

    /**
     * Checks that occupied quotients, run ends and offsets agree with each other and with the count, and that what is
     * not used is 0.
     *
     * @return a word for each block: its slots that are in use
     * @throws IllegalStateException if they do not agree; the message says where
     */
    public static long[] usedSlots(Runs runs, long count) {
        Slots slots = runs.slots;
        SlotLayout layout = slots.layout;
        long[] used = new long[layout.blockCount()];
        long usedCount = 0;
        long next = 0;
        int endBlock = 0;
        long ends = slots.words[layout.base(0) + RUN_ENDS];
        for (int block = 0; block < layout.blockCount(); block++) {
            long blockStart = (long) block << BLOCK_SHIFT;
            long offset = Math.min(Math.max(0, next - blockStart), SlotLayout.OFFSET_SATURATED);
            if (runs.storedOffset(block) != offset) {
                throw damaged("offset should be " + offset, runs, block);
            }
            long occupied = slots.words[layout.base(block) + OCCUPIED];
            for (; occupied != 0; occupied &= occupied - 1) {
                long quotient = blockStart + Long.numberOfTrailingZeros(occupied);
                require(quotient < layout.slotCount(), "a quotient past the last is occupied", runs, block);
                while (ends == 0) {
                    endBlock++;
                    require(endBlock < layout.blockCount(), "fewer run ends than occupied quotients", runs, block);
                    ends = slots.words[layout.base(endBlock) + RUN_ENDS];
                }
                long end = ((long) endBlock << BLOCK_SHIFT) + Long.numberOfTrailingZeros(ends);
                ends &= ends - 1;
                long start = Math.max(next, quotient);
                if (end < start) {
                    throw damaged("a run ends at " + end + " before it starts at " + start, runs, block);
                }
                markUsed(used, start, end);
                usedCount += end - start + 1;
                next = end + 1;
            }
        }
        while (ends == 0 && ++endBlock < layout.blockCount()) {
            ends = slots.words[layout.base(endBlock) + RUN_ENDS];
        }
        require(ends == 0, "more run ends than occupied quotients", runs, Math.min(endBlock, layout.blockCount() - 1));
        if (usedCount != count) {
            throw new IllegalStateException(usedCount + " slots are in use where " + count + " keys are counted");
        }
        for (int block = 0; block < layout.blockCount(); block++) {
            requireZeroWhereFree(runs, block, used[block]);
        }
        if (slots.words[slots.words.length - 1] != 0) {
            throw new IllegalStateException("the word behind the last block is not 0");
        }
        int lastBits = layout.blockCount() * SlotLayout.OFFSET_BITS & 63;
        if (lastBits != 0 && slots.offsets[slots.offsets.length - 1] >>> lastBits != 0) {
            throw new IllegalStateException("there are offsets behind that of the last block");
        }
        return used;
    }

    private static void requireZeroWhereFree(Runs runs, int block, long used) {
        Slots slots = runs.slots;
        int base = slots.layout.base(block);
        if (used == 0) {
            long any = 0;
            for (int word = slots.metadataWords; word < slots.stride; word++) {
                any |= slots.words[base + word];
            }
            require(any == 0, "remainders though all slots are free", runs, block);
        }
        for (long free = used == 0 ? 0 : ~used; free != 0; free &= free - 1) {
            int slot = Long.numberOfTrailingZeros(free);
            if (slots.remainder(base, slot) != 0) {
                throw damaged("slot " + slot + " is free and not 0", runs, block);
            }
        }
    }

    /** The words of a block and of its neighbours, for messages. */
    public static String dump(Runs runs, int block) {
        Slots slots = runs.slots;
        StringBuilder text = new StringBuilder();
        for (int each = Math.max(0, block - 1); each <= Math.min(block + 1, slots.layout.blockCount() - 1); each++) {
            text.append("\nblock ").append(each).append(" offset ").append(runs.storedOffset(each));
            for (int word = 0; word < slots.stride; word++) {
                text.append(word == 0 ? "\n  occupied " : word == 1 ? "\n  run ends " : word == 2 ? "\n  words " : " ");
                text.append(String.format("%016x", slots.words[Words.LEAD + each * slots.stride + word]));
            }
        }
        return text.toString();
    }

    private static void markUsed(long[] used, long start, long end) {
        for (long slot = start; slot <= end; slot++) {
            used[SlotLayout.block(slot)] |= 1L << slot;
        }
    }

    private static void require(boolean holds, String fault, Runs runs, int block) {
        if (!holds) {
            throw damaged(fault, runs, block);
        }
    }

    private static IllegalStateException damaged(String fault, Runs runs, int block) {
        return new IllegalStateException("block " + block + ": " + fault + dump(runs, block));
    }
}
