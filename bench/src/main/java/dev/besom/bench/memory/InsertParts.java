package dev.besom.bench.memory;

import dev.besom.bits.FastRange;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Machine;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.fastfilter.bloom.BlockedBloom;

/**
 * Prints what an insert into a blocked Bloom filter costs, as Markdown: with the answer whether the key was new and a count of those that
 * were, with the answer, with neither, and fastfilter's, which has neither. Ours are copies of the insert of {@code blocked-bloom} at
 * 1 % without all else; each has a loop of its own.
 *
 * <pre>
 *   bench/run memory.InsertParts [N]
 * </pre>
 */
public final class InsertParts {

    private static final int CHUNK = 1 << 14;
    private static final int SMALL = 1 << 12;
    private static final int SMALL_FILLS = 400;
    private static final int TURNS = 31;
    private static final int BITS_A_KEY = 11;

    private static final LongHasher HASHER = KeyHasher.longs();

    /** Keeps the compiler from leaving out what is measured. */
    private static long answers;

    private InsertParts() {}

    /** A loop that puts keys in; something that depends on how many were new, where it knows. */
    @FunctionalInterface
    private interface Fill {
        int fill(long[] keys, int from, int to);
    }

    public static void main(String[] arguments) {
        int count = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
        System.out.println("| insert | ns |");
        System.out.println("| --- | --: |");
        print("with answer and count", count, Blocks::fillCounting);
        print("with answer", count, Blocks::fillAnswering);
        print("with neither", count, Blocks::fillSilently);
        print("fastfilter's", count, InsertParts::fastfilter);
        System.out.printf(
                Locale.ROOT, "%nn = %,d, with hashing, median of %d fills. %s%n", count, TURNS, Machine.description());
        if (answers == 0) {
            System.err.println("nothing was put in");
        }
    }

    private static Fill fastfilter(int count) {
        BlockedBloom filter = BlockedBloom.construct(new long[count], BITS_A_KEY);
        return (keys, from, to) -> {
            for (int i = from; i < to; i++) {
                filter.add(keys[i]);
            }
            return to - from;
        };
    }

    private static void print(String name, int count, IntFunction<Fill> empty) {
        long[] keys = new long[count];
        Arrays.setAll(keys, i -> Mix.expand(i, 0, 0));
        for (int i = 0; i < SMALL_FILLS; i++) {
            answers += empty.apply(SMALL).fill(keys, 0, Math.min(SMALL, count));
        }
        double[] times = new double[TURNS];
        Arrays.setAll(times, turn -> {
            Fill fill = empty.apply(count);
            long start = System.nanoTime();
            for (int from = 0; from < count; from += CHUNK) {
                answers += fill.fill(keys, from, Math.min(count, from + CHUNK));
            }
            return (System.nanoTime() - start) / (double) count;
        });
        Arrays.sort(times);
        System.out.printf(Locale.ROOT, "| %s | %.2f |%n", name, times[TURNS / 2]);
    }

    /** Blocks of eight words; a key has three bits in a word of each half of its block. */
    private static final class Blocks {

        private static final int MASK_BITS = 10;
        private static final int HALF = 4;
        private static final double BITS = 10.51;

        private final long[] masks = new long[1 << MASK_BITS];
        private final long wordCount;
        private final long[] words;
        private final long factor = Mix.factor(1);
        private long count;

        private Blocks(int keys) {
            this.wordCount = 2 * HALF * (long) Math.ceil(keys * BITS / (2 * HALF * Long.SIZE));
            this.words = new long[(int) wordCount];
            SplittableRandom random = new SplittableRandom(MASK_BITS);
            Arrays.setAll(masks, i -> {
                long mask = 0;
                while (Long.bitCount(mask) < 3) {
                    mask |= 1L << random.nextInt(Long.SIZE);
                }
                return mask;
            });
        }

        static Fill fillCounting(int keys) {
            Blocks blocks = new Blocks(keys);
            return (all, from, to) -> {
                long before = blocks.count;
                int added = 0;
                for (int i = from; i < to; i++) {
                    added += blocks.addCounting(all[i]) ? 1 : 0;
                }
                return added + (int) (blocks.count - before);
            };
        }

        static Fill fillAnswering(int keys) {
            Blocks blocks = new Blocks(keys);
            return (all, from, to) -> {
                int added = 0;
                for (int i = from; i < to; i++) {
                    added += blocks.add(all[i]) ? 1 : 0;
                }
                return added;
            };
        }

        static Fill fillSilently(int keys) {
            Blocks blocks = new Blocks(keys);
            return (all, from, to) -> {
                for (int i = from; i < to; i++) {
                    blocks.addSilently(all[i]);
                }
                return to - from;
            };
        }

        private boolean addCounting(long key) {
            if (!add(key)) {
                return false;
            }
            count++;
            return true;
        }

        private boolean add(long key) {
            long product = product(key);
            int draws = draws(product);
            int first = firstWord(product);
            int other = otherWord(first, draws);
            long own = mask(draws >>> (Integer.SIZE - MASK_BITS));
            long otherOwn = mask(draws >>> (Integer.SIZE - 2 * MASK_BITS));
            long before = words[first];
            words[first] = before | own;
            long otherBefore = words[other];
            words[other] = otherBefore | otherOwn;
            return ((own & ~before) | (otherOwn & ~otherBefore)) != 0;
        }

        private void addSilently(long key) {
            long product = product(key);
            int draws = draws(product);
            int first = firstWord(product);
            long own = mask(draws >>> (Integer.SIZE - MASK_BITS));
            long otherOwn = mask(draws >>> (Integer.SIZE - 2 * MASK_BITS));
            words[first] |= own;
            words[otherWord(first, draws)] |= otherOwn;
        }

        private long product(long key) {
            return HASHER.hash(key) * factor;
        }

        private int firstWord(long product) {
            return (int) FastRange.placeOfHalf(product >>> Integer.SIZE, wordCount);
        }

        private static int draws(long product) {
            int high = (int) (product >>> Integer.SIZE);
            return ((int) product ^ high) * (high | 1);
        }

        private static int otherWord(int first, int draws) {
            return first ^ (((draws >>> MASK_BITS) & (HALF - 1)) | HALF);
        }

        private long mask(int low) {
            return masks[low & (masks.length - 1)];
        }
    }
}
