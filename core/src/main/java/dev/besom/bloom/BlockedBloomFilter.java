package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.MergeCheck;
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
 * </pre>
 *
 * The words of a block are two groups of four, or four groups of two. In each group a key draws one word and sets
 * {@code b} bits of it at once, by a mask: one of {@link BlockedMasks 1024 made in advance}. Against bits drawn one by one from
 * the whole block this costs about 5 % of space. What it buys is a query of few instructions, and so many queries in
 * flight at once while memory answers.
 *
 * <p>Blocks are filled unevenly, which costs space too: size, groups and b are taken from the sum over all fillings
 * ({@link BlockedBloomMath}), so that the rate asked for is the rate delivered: 10.5 bits a key at 1 %, 16.1 at 0.1 %.
 *
 * <p>With the option {@code blockBits=256} a block is half a cache line, four words, as in hardware that reads 32 bytes at a time:
 * two groups of two words, or four of one. It then takes 10.7 bits a key at 1 %, 17.1 at 0.1 %.
 *
 * <p>One thread inserts, any number query meanwhile; through {@link #shared()} any number insert. No locks.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009, which has the
 * blocks and the masks.
 */
public final class BlockedBloomFilter extends GrowingBits implements MergeableFilter {

    static final String KIND = "blocked-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField SIZE = FORM.whole("bits", "size in bits, a whole number of blocks");
    private static final LongField BLOCK_BITS = FORM.whole("block bits", "bits of a block: 512 or 256");
    private static final LongField GROUPS = FORM.whole("groups", "words of a block that a key uses: 2 or 4");
    private static final LongField BITS_PER_GROUP =
            FORM.whole("bits per group", "bits a key sets in each of its words, 1 to 6");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "keys that were new when they were inserted");
    private static final Section WORDS = FORM.section("words", "the blocks, one behind the other");

    private final long seed;
    private final BlockedBloomMath.Block block;
    private final int bitsPerGroup;
    private final BlockedWords blocked;

    private BlockedBloomFilter(BitVector bits, BlockedBloomMath.Block block, int bitsPerGroup, long seed, long count) {
        super(bits, count);
        this.seed = seed;
        this.block = block;
        this.bitsPerGroup = bitsPerGroup;
        this.blocked = new BlockedWords(bits, block, bitsPerGroup, seed);
    }

    /**
     * A filter sized for the spec, with the options {@code blockBits}, {@code groups} and {@code bitsPerGroup}; groups and bits that
     * are not given are those that take least space.
     */
    static BlockedBloomFilter make(FilterSpec spec) {
        int blockBits = (int) spec.option("blockBits", 512, 256, 512);
        int groups = (int) spec.option("groups", 0, 2, 4);
        int bitsPerGroup = (int) spec.option("bitsPerGroup", 0, 1, BlockedBloomMath.MAX_BITS_PER_GROUP);
        if (groups == 3) {
            throw new IllegalArgumentException("option groups must be 2 or 4, not 3");
        }
        if (blockBits != 256 && blockBits != 512) {
            throw new IllegalArgumentException("option blockBits must be 256 or 512, not " + blockBits);
        }
        int blockWords = blockBits / Long.SIZE;
        BlockedBloomMath.Shape shape = BlockedBloomMath.shape(spec.fpp(), blockWords, groups, bitsPerGroup);
        double blocks = Math.max(1, Math.ceil(spec.capacity() * shape.bitsPerKey() / blockBits));
        if (blocks > BitVector.MAX_SIZE_IN_BITS / (double) blockBits) {
            throw new IllegalArgumentException("no blocked Bloom filter holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        BitVector bits = new BitVector(blockBits * (long) blocks);
        BlockedBloomMath.Block block = new BlockedBloomMath.Block(blockWords, shape.groups());
        return new BlockedBloomFilter(bits, block, shape.bitsPerGroup(), spec.seed(), 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return blocked.areSet(hash);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.inBatches(hashes, from, count, result, blocked);
    }

    @Override
    boolean areAllBitsSet(long hash) {
        return blocked.areSet(hash);
    }

    @Override
    void setAtomically(long hash) {
        blocked.setAtomically(bits, hash);
    }

    @Override
    public boolean insertHash(long hash) {
        if (blocked.set(hash) == 0) {
            return false;
        }
        addToCount(1);
        return true;
    }

    @Override
    public void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            added += blocked.set(hashes[at]) == 0 ? 0 : 1;
        }
        addToCount(added);
    }

    @Override
    public double expectedFpp() {
        double[] covered = new double[Long.SIZE + 1];
        for (int set = 0; set <= Long.SIZE; set++) {
            covered[set] = BlockedBloomMath.coveredByWord(set, bitsPerGroup);
        }
        long[] words = bits.words();
        int groupWords = block.words() / block.groups();
        double sum = 0;
        for (int first = Words.LEAD; first < words.length; first += block.words()) {
            double all = 1;
            for (int group = 0; group < block.groups(); group++) {
                double inGroup = 0;
                for (int word = 0; word < groupWords; word++) {
                    inGroup += covered[Long.bitCount(words[first + group * groupWords + word])];
                }
                all *= inGroup / groupWords;
            }
            sum += all;
        }
        return sum * block.words() / Words.count(words);
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(KIND);
        BlockedBloomFilter same = check.type(BlockedBloomFilter.class, other);
        check.same("bits", bits.sizeInBits(), same.bits.sizeInBits());
        check.same("bits of a block", block.bits(), same.block.bits());
        check.same("groups", block.groups(), same.block.groups());
        check.same("bits a group", bitsPerGroup, same.bitsPerGroup);
        check.same("seed", seed, same.seed);
        bits.or(same.bits);
        addToCount(Math.round(estimatedCount()) - count());
    }

    /** How many different keys the filter most likely holds, from the fill of its words alone. */
    public double estimatedCount() {
        long[] words = bits.words();
        double keys = 0;
        // A key goes to one word of each group and leaves a given bit of it alone with probability 1 - b / 64.
        double keptByKey = Math.log1p(-(double) bitsPerGroup / Long.SIZE);
        for (int i = Words.LEAD; i < words.length; i++) {
            double missing = Math.max(0.5, Long.SIZE - Long.bitCount(words[i]));
            keys += Math.log(missing / Long.SIZE) / keptByKey;
        }
        return keys / block.groups();
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(SIZE, bits.sizeInBits())
                .set(BLOCK_BITS, block.bits())
                .set(GROUPS, block.groups())
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
        int blockBits = (int) image.get(BLOCK_BITS, 256, 512);
        image.check(blockBits == 256 || blockBits == 512, "block bits cannot be " + blockBits);
        image.check(size % blockBits == 0, size + " bits are no whole number of blocks");
        image.check(groups != 3, "groups cannot be 3");
        BlockedBloomMath.Block block = new BlockedBloomMath.Block(blockBits / Long.SIZE, groups);
        BitVector bits = image.checked(() -> new BitVector(image.get(WORDS), size));
        return new BlockedBloomFilter(bits, block, bitsPerGroup, image.get(SEED), count);
    }
}
