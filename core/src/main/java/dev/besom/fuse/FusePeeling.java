package dev.besom.fuse;

import dev.besom.HashSource;
import dev.besom.bits.PackedNumbers;
import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;

/**
 * Fills the slots of one shard. A slot that only one key has can be filled last, whatever the others hold; take such keys
 * away one by one, and fill the slots in the opposite order.
 *
 * <pre>
 *   for each slot     count: how many keys that are left have it        xor: of their fractions
 *
 *   order             | slots of keys taken away, in order --&gt;   ...   &lt;-- slots that one key has, to be looked at |
 * </pre>
 *
 * When a slot's count is one its xor is the very key. It stays there when the key is taken away, so nothing else remembers
 * the keys. A slot is in one half of {@code order} at most, so that one array serves both.
 *
 * <p>Equal hashes are never alone in a slot. They are found among the few keys that are left when nothing can be taken
 * away any more, and all but one of them are given up.
 *
 * <p>Memory: 8 bytes for the xor, 4 for the order and 1 for the count, for each slot: 14.7 bytes a key with 3 slots, and 8
 * for each key that is left over at the first attempt.
 */
final class FusePeeling {

    private final FuseShape shape;
    private final int segmentBits;
    private final long firstSlots;
    private final boolean isFourWise;
    private final long[] xors;
    private final byte[] counts;
    private final int[] order;

    /** @param shape of every shard that is filled */
    FusePeeling(FuseShape shape) {
        this.shape = shape;
        this.segmentBits = shape.segmentBits();
        this.firstSlots = shape.firstSlots();
        this.isFourWise = shape.arity() == 4;
        int slots = Math.toIntExact(shape.slotCount());
        this.xors = new long[slots];
        this.counts = new byte[slots];
        // Between the halves there is always room for one slot more, which may turn out to have more keys than one.
        this.order = new int[slots + 1];
    }

    /**
     * Fills a shard.
     *
     * @param fractions of the keys; may repeat
     * @param factor of this attempt
     * @param filler told of each key and the slot that it is the last to fill
     * @return how many different keys there are, or -1 if they cannot be told apart with this factor
     */
    long fill(HashSource fractions, long factor, SlotFiller filler) {
        Arrays.fill(xors, 0);
        Arrays.fill(counts, (byte) 0);
        long keys = add(fractions, factor);
        if (keys < 0) {
            return -1;
        }
        int peeled = peel(0, factor);
        if (peeled < keys) {
            keys -= removeRepeated(leftOver(fractions, keys - peeled, factor), factor);
            peeled = peel(peeled, factor);
        }
        if (peeled < keys) {
            return -1;
        }
        assign(peeled, factor, filler);
        return peeled;
    }

    /** Counts the keys of each slot, those aside that follow an equal one; returns how many, or -1 if a slot has too many. */
    private long add(HashSource fractions, long factor) {
        Addition addition = new Addition(factor);
        fractions.forEach(addition);
        return addition.hasOverflowed ? -1 : addition.keys;
    }

    private final class Addition implements LongConsumer {

        private final long factor;
        private long previous;
        private long keys;
        private boolean hasOverflowed;

        Addition(long factor) {
            this.factor = factor;
        }

        @Override
        public void accept(long fraction) {
            if ((fraction == previous && keys > 0) || hasOverflowed) {
                return;
            }
            previous = fraction;
            keys++;
            long scattered = FuseShape.scatter(fraction, factor);
            long first = FuseShape.first(fraction, firstSlots);
            add((int) first, fraction);
            add((int) FuseShape.second(first, scattered, segmentBits), fraction);
            add((int) FuseShape.third(first, scattered, segmentBits), fraction);
            if (isFourWise) {
                add((int) FuseShape.fourth(first, scattered, segmentBits), fraction);
            }
        }

        private void add(int slot, long fraction) {
            xors[slot] ^= fraction;
            hasOverflowed |= ++counts[slot] == 0;
        }
    }

    /** Takes keys away until no slot has just one; returns how many are away. */
    private int peel(int peeledBefore, long factor) {
        int peeled = peeledBefore;
        int stack = order.length;
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] == 1) {
                order[--stack] = slot;
            }
        }
        while (stack < order.length) {
            int slot = order[stack++];
            if (counts[slot] != 1) {
                continue; // its key was taken away by another slot
            }
            long fraction = xors[slot];
            order[peeled++] = slot;
            long scattered = FuseShape.scatter(fraction, factor);
            long first = FuseShape.first(fraction, firstSlots);
            stack = remove((int) first, fraction, stack);
            stack = remove((int) FuseShape.second(first, scattered, segmentBits), fraction, stack);
            stack = remove((int) FuseShape.third(first, scattered, segmentBits), fraction, stack);
            if (isFourWise) {
                stack = remove((int) FuseShape.fourth(first, scattered, segmentBits), fraction, stack);
            }
            // The key was taken from this slot too, without a branch, and stays here.
            xors[slot] = fraction;
        }
        return peeled;
    }

    /** Takes a key from a slot, and notes the slot if one key is left there; returns where the noted slots begin. */
    private int remove(int slot, long fraction, int stack) {
        xors[slot] ^= fraction;
        order[stack - 1] = slot;
        return --counts[slot] == 1 ? stack - 1 : stack;
    }

    /** The keys that may still be there, in ascending order: those none of whose slots is empty, each as often as it was counted. */
    private long[] leftOver(HashSource fractions, long atLeast, long factor) {
        LeftOver left = new LeftOver(atLeast, factor);
        fractions.forEach(left);
        long[] sorted = Arrays.copyOf(left.found, left.size);
        Arrays.sort(sorted);
        return sorted;
    }

    private final class LeftOver implements LongConsumer {

        private final long factor;
        private long[] found;
        private int size;
        private long previous;
        private boolean hasPrevious;

        LeftOver(long atLeast, long factor) {
            this.found = new long[(int) Math.min(Integer.MAX_VALUE - 8, atLeast + 16)];
            this.factor = factor;
        }

        @Override
        public void accept(long fraction) {
            // What follows an equal one was not counted. Given up here, it would take the one that was along with it.
            if (fraction == previous && hasPrevious) {
                return;
            }
            previous = fraction;
            hasPrevious = true;
            if (isLeft(fraction)) {
                put(fraction);
            }
        }

        private boolean isLeft(long fraction) {
            long scattered = FuseShape.scatter(fraction, factor);
            for (int i = 0; i < shape.arity(); i++) {
                if (counts[(int) shape.slot(fraction, scattered, i)] == 0) {
                    return false;
                }
            }
            return true;
        }

        private void put(long fraction) {
            if (size == found.length) {
                found = Arrays.copyOf(found, size + (size >>> 1));
            }
            found[size++] = fraction;
        }
    }

    /** Gives up all but one of equal keys; returns how many. */
    private long removeRepeated(long[] sorted, long factor) {
        long removed = 0;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                long scattered = FuseShape.scatter(sorted[i], factor);
                for (int j = 0; j < shape.arity(); j++) {
                    int slot = (int) shape.slot(sorted[i], scattered, j);
                    counts[slot]--;
                    xors[slot] ^= sorted[i];
                }
                removed++;
            }
        }
        return removed;
    }

    private void assign(int peeled, long factor, SlotFiller filler) {
        for (int i = peeled - 1; i >= 0; i--) {
            long fraction = xors[order[i]];
            filler.fill(order[i], fraction, FuseShape.scatter(fraction, factor));
        }
    }

    /** Writes what a key's slots have to come to. */
    interface SlotFiller {
        /**
         * Fills a slot of a key.
         *
         * @param slot one that no key before has
         * @param fraction the key
         * @param scattered its fraction, by the factor of the attempt
         */
        void fill(int slot, long fraction, long scattered);
    }

    /**
     * Fills a slot so that the exclusive or of a key's slots is the key's payload.
     *
     * @param shape of the shard
     * @param target the slots of all shards, those of this one 0
     * @param firstSlot of this shard
     * @param payload of a fraction and its scattered form
     */
    record XorFiller(FuseShape shape, PackedNumbers target, long firstSlot, LongBinaryOperator payload)
            implements SlotFiller {

        @Override
        public void fill(int slot, long fraction, long scattered) {
            int segmentBits = shape.segmentBits();
            long first = FuseShape.first(fraction, shape.firstSlots());
            long value = payload.applyAsLong(fraction, scattered)
                    ^ target.get(firstSlot + first)
                    ^ target.get(firstSlot + FuseShape.second(first, scattered, segmentBits))
                    ^ target.get(firstSlot + FuseShape.third(first, scattered, segmentBits));
            if (shape.arity() == 4) {
                value ^= target.get(firstSlot + FuseShape.fourth(first, scattered, segmentBits));
            }
            target.set(firstSlot + slot, value);
        }
    }
}
