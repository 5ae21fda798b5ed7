package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.MergeCheck;
import dev.besom.spi.PersistentFilter;
import java.util.Objects;

/**
 * A Bloom filter in blocks of one cache line: all bits of a key lie in one block of 512 bits, so that a query costs
 * one memory access.
 *
 * <pre>
 *   two groups           group 0                            group 1
 *                       word 0   word 1   word 2   word 3   word 4   word 5   word 6   word 7
 *                      +--------+--------+--------+--------+--------+--------+--------+--------+
 *   a key, 3 bits a    |        |        | 1 1  1 |        |  1 1 1 |        |        |        |
 *   group              +--------+--------+--------+--------+--------+--------+--------+--------+
 *
 *   mixed hash           | block | the rest ...
 *   the rest             | mask  | rotation, rotation | word, word | ...
 *   bits                     9        6         6         2     2
 * </pre>
 *
 * The words of a block are two groups of four, or four groups of two. In each group a key draws one word and sets
 * {@code b} bits of it at once, by a mask: one of 512 made in advance, the same for all groups, rotated by 0 to 63 places
 * in each. Against bits drawn one by one from the whole block this costs about 2 % of space. What it buys is a query of few
 * instructions, and so many queries in flight at once while memory answers; for the same reason a query that
 * finds a bit missing in the first group, as nine of ten misses do, leaves the others alone.
 *
 * <p>Blocks are filled unevenly, which costs space too: size, groups and b are taken from the sum over all fillings
 * ({@link BlockedBloomMath}), so that the rate asked for is the rate delivered: 10.2 bits a key at 1 %, 15.7 at 0.1 %.
 *
 * <p>Any number of threads may insert and query at once; no locks.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009, which has the
 * blocks and the masks.
 */
public final class BlockedBloomFilter extends ConcurrentBits implements MergeableFilter, PersistentFilter {

    static final String KIND = "blocked-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField SIZE = FORM.whole("bits", "size in bits, a multiple of 512");
    private static final LongField GROUPS = FORM.whole("groups", "words of a block that a key uses: 2 or 4");
    private static final LongField BITS_PER_GROUP =
            FORM.whole("bits per group", "bits a key sets in each of its words, 1 to 6");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "keys that were new when they were inserted");
    private static final Section WORDS = FORM.section("words", "the blocks, eight words each");

    private static final int BLOCK_WORDS = 8;
    private static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;

    private static final int MASK_BITS = 9;
    private static final int ROTATION_BITS = 6;

    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;

    private final long seed;
    private final int groups;
    private final int bitsPerGroup;

    /** What a query needs, at hand. */
    private final long[] words;

    private final long[] masks;
    private final Bitmaps.Batch batch = this::fill;
    private final long blockCount;
    private final long factor;

    private BlockedBloomFilter(BitVector bits, int groups, int bitsPerGroup, long seed, long count) {
        super(bits, count);
        this.seed = seed;
        this.groups = groups;
        this.bitsPerGroup = bitsPerGroup;
        this.words = bits.words();
        this.masks = makeMasks(bitsPerGroup);
        this.blockCount = bits.sizeInBits() / BLOCK_BITS;
        this.factor = Mix.factor(seed + SEED_SALT);
    }

    /** A filter sized for the spec, with the options {@code groups} and {@code bitsPerGroup} or as takes least space. */
    static BlockedBloomFilter make(FilterSpec spec) {
        int groups = (int) spec.option("groups", 0, 2, 4);
        int bitsPerGroup = (int) spec.option("bitsPerGroup", 0, 1, BlockedBloomMath.MAX_BITS_PER_GROUP);
        if (groups == 3) {
            throw new IllegalArgumentException("option groups must be 2 or 4, not 3");
        }
        BlockedBloomMath.Shape shape = BlockedBloomMath.shape(spec.fpp(), groups, bitsPerGroup);
        double blocks = Math.max(1, Math.ceil(spec.capacity() * shape.bitsPerKey() / BLOCK_BITS));
        if (blocks > BitVector.MAX_SIZE_IN_BITS / (double) BLOCK_BITS) {
            throw new IllegalArgumentException("no blocked Bloom filter holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        BitVector bits = new BitVector(BLOCK_BITS * (long) blocks);
        return new BlockedBloomFilter(bits, shape.groups(), shape.bitsPerGroup(), spec.seed(), 0);
    }

    /** The masks for so many bits: frozen, for files hold what they set. */
    private static long[] makeMasks(int bitCount) {
        long[] masks = new long[1 << MASK_BITS];
        long draws = 0;
        for (int i = 0; i < masks.length; i++) {
            while (Long.bitCount(masks[i]) < bitCount) {
                masks[i] |= 1L << Mix.expand(draws, bitCount, 0);
                draws++;
            }
        }
        return masks;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.scatter(hash, factor);
        long rest = rest(mixed);
        long mask = mask(rest);
        int first = firstWord(mixed);
        if (groups == 2) {
            return missing(first, rest, mask, 0, 2) == 0 && missing(first, rest, mask, 1, 2) == 0;
        }
        return (missing(first, rest, mask, 0, 4) | missing(first, rest, mask, 1, 4)) == 0
                && (missing(first, rest, mask, 2, 4) | missing(first, rest, mask, 3, 4)) == 0;
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.inBatches(hashes, from, count, result, batch);
    }

    private void fill(long[] hashes, int from, int lanes, long[] result, int word) {
        // Reading the blocks and nothing else keeps as many memory accesses in flight as the processor can have; then
        // they are in the cache. What was read goes where the answers will, lest the loop be left out.
        result[word] = prefetch(hashes, from, lanes);
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            maybe |= (mightContainHash(hashes[from + lane]) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }

    /** Reads a word of the block of each hash; returns something that depends on all of them. */
    private long prefetch(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= words[firstWord(Mix.scatter(hashes[from + lane], factor))];
        }
        return all;
    }

    @Override
    void setAtomically(long hash) {
        long mixed = Mix.scatter(hash, factor);
        long rest = rest(mixed);
        long mask = mask(rest);
        for (int group = 0; group < groups; group++) {
            int word = firstWord(mixed) + wordInBlock(rest, group, groups);
            bits.setAtomically(word - Words.LEAD, rotated(mask, rest, group));
        }
    }

    @Override
    public void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            long mixed = Mix.scatter(hashes[at], factor);
            long rest = rest(mixed);
            long mask = mask(rest);
            int first = firstWord(mixed);
            long missing;
            if (groups == 2) {
                missing = set(first, rest, mask, 0, 2) | set(first, rest, mask, 1, 2);
            } else {
                missing = set(first, rest, mask, 0, 4)
                        | set(first, rest, mask, 1, 4)
                        | set(first, rest, mask, 2, 4)
                        | set(first, rest, mask, 3, 4);
            }
            added += missing == 0 ? 0 : 1;
        }
        addToCount(added);
    }

    /** The array index of the first word of the hash's block: the whole part of mixed / 2^64 * blocks. */
    private int firstWord(long mixed) {
        return (int) FastRange.place(mixed, blockCount) * BLOCK_WORDS + Words.LEAD;
    }

    /** What the choice of the block has left over: the fraction of mixed / 2^64 * blocks, whose top bits are best. */
    private long rest(long mixed) {
        return mixed * blockCount;
    }

    /** The mask of a key, before it is rotated. */
    private long mask(long rest) {
        // With a power of two in this form the compiler sees that no index is out of bounds.
        return masks[(int) (rest >>> (Long.SIZE - MASK_BITS)) & (masks.length - 1)];
    }

    /** The bits that a key uses in its word of a group. */
    private static long rotated(long mask, long rest, int group) {
        // A rotation looks at the lowest six bits of its distance.
        return Long.rotateLeft(mask, (int) (rest >>> (Long.SIZE - MASK_BITS - (group + 1) * ROTATION_BITS)));
    }

    /** The word of the block that a key uses in a group. */
    private static int wordInBlock(long rest, int group, int groups) {
        int groupWords = BLOCK_WORDS / groups;
        int wordBits = Integer.numberOfTrailingZeros(groupWords);
        int place = Long.SIZE - MASK_BITS - groups * ROTATION_BITS - (group + 1) * wordBits;
        return group * groupWords + ((int) (rest >>> place) & (groupWords - 1));
    }

    /** The bits of a key that are not set in its word of a group. */
    private long missing(int first, long rest, long mask, int group, int groups) {
        return rotated(mask, rest, group) & ~words[first + wordInBlock(rest, group, groups)];
    }

    /** Sets the bits of a key in its word of a group, and returns those that were not set. */
    private long set(int first, long rest, long mask, int group, int groups) {
        int word = first + wordInBlock(rest, group, groups);
        long own = rotated(mask, rest, group);
        long before = words[word];
        words[word] = before | own;
        return own & ~before;
    }

    @Override
    public double expectedFpp() {
        double[] covered = new double[Long.SIZE + 1];
        for (int set = 0; set <= Long.SIZE; set++) {
            covered[set] = BlockedBloomMath.coveredByWord(set, bitsPerGroup);
        }
        int groupWords = BLOCK_WORDS / groups;
        double sum = 0;
        for (int first = Words.LEAD; first < words.length; first += BLOCK_WORDS) {
            double all = 1;
            for (int group = 0; group < groups; group++) {
                double inGroup = 0;
                for (int word = 0; word < groupWords; word++) {
                    inGroup += covered[Long.bitCount(words[first + group * groupWords + word])];
                }
                all *= inGroup / groupWords;
            }
            sum += all;
        }
        return sum * BLOCK_WORDS / Words.count(words);
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(KIND);
        BlockedBloomFilter same = check.type(BlockedBloomFilter.class, other);
        check.same("bits", bits.sizeInBits(), same.bits.sizeInBits());
        check.same("groups", groups, same.groups);
        check.same("bits a group", bitsPerGroup, same.bitsPerGroup);
        check.same("seed", seed, same.seed);
        bits.or(same.bits);
        addToCount(Math.round(estimatedCount()) - count());
    }

    /** How many different keys the filter most likely holds, from the fill of its words alone. */
    public double estimatedCount() {
        double keys = 0;
        // A key goes to one word of each group and leaves a given bit of it alone with probability 1 - b / 64.
        double keptByKey = Math.log1p(-(double) bitsPerGroup / Long.SIZE);
        for (int i = Words.LEAD; i < words.length; i++) {
            double missing = Math.max(0.5, Long.SIZE - Long.bitCount(words[i]));
            keys += Math.log(missing / Long.SIZE) / keptByKey;
        }
        return keys / groups;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(SIZE, bits.sizeInBits())
                .set(GROUPS, groups)
                .set(BITS_PER_GROUP, bitsPerGroup)
                .set(SEED, seed)
                .set(COUNT, count())
                .set(WORDS, bits.words())
                .image();
    }

    static BlockedBloomFilter read(FilterImage image) {
        long size = image.get(SIZE, 1, BitVector.MAX_SIZE_IN_BITS);
        int groups = (int) image.get(GROUPS, 2, 4);
        int bitsPerGroup = (int) image.get(BITS_PER_GROUP, 1, BlockedBloomMath.MAX_BITS_PER_GROUP);
        long count = image.get(COUNT, 0, Long.MAX_VALUE);
        image.check(size % BLOCK_BITS == 0, size + " bits are no whole number of blocks");
        image.check(groups != 3, "groups cannot be 3");
        BitVector bits = image.checked(() -> new BitVector(image.get(WORDS), size));
        return new BlockedBloomFilter(bits, groups, bitsPerGroup, image.get(SEED), count);
    }
}
