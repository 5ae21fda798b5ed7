package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.bits.BitVector;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.List;

/**
 * A Bloom filter in blocks of half a cache line that keeps its blocks from getting too full: a block that has taken as
 * many keys as a threshold allows takes no more, and the few keys that come too late are kept exactly, in a list beside.
 *
 * <pre>
 *   blocks of 256 bits     | ...1..1....1 | .11..1..1..1 | 1...1....1.. |      count of a block: 8 bits
 *                                              full
 *   list                   { hash, hash, ... }: about one key in two hundred
 * </pre>
 *
 * A question reads one block and, if a bit is missing there, looks into the list.
 *
 * <p>Departures from the paper: the list is a hash table and not an associative memory beside the processor, and both it
 * and the counts of the blocks are counted as memory here, which the paper does not do.
 *
 * <p>Cost: {@link BalancedBloomMath}; at 1 % the blocks alone take 10.3 bits a key. One writer at a time, and nobody who asks beside it.
 *
 * <p>Y. Kanizo, D. Hay, I. Keslassy: Access-efficient balanced Bloom filters. Computer Communications 36(4), 2013.
 */
public final class BalancedBloomFilter implements InsertableFilter, PersistentFilter {

    static final String KIND = "balanced-bloom";

    private static final int BLOCK_BITS = BalancedBloomMath.BLOCK_BITS;
    private static final int BLOCK_WORDS = BLOCK_BITS / Long.SIZE;
    private static final int PLACE_BITS = 8;
    private static final int PLACES_A_DRAW = Long.SIZE / PLACE_BITS;
    private static final int COUNT_BITS = 8;
    private static final long SEED_SALT = 0xDB0C2E0D64F98FA7L;

    private final BitVector bits;
    private final long[] words;
    private final PackedArray blockCounts;
    private final ExactHashes list;
    private final long doubleBlockCount;
    private final int probes;
    private final int threshold;
    private final long seed;
    private long count;

    private BalancedBloomFilter(
            BitVector bits,
            PackedArray blockCounts,
            ExactHashes list,
            int probes,
            int threshold,
            long seed,
            long count) {
        this.bits = bits;
        this.words = bits.words();
        this.blockCounts = blockCounts;
        this.list = list;
        this.doubleBlockCount = 2 * blockCounts.length();
        this.probes = probes;
        this.threshold = threshold;
        this.seed = seed;
        this.count = count;
    }

    /** A filter sized for the spec; the option {@code overflow} is the planned share of keys in the list. */
    public static BalancedBloomFilter of(FilterSpec spec) {
        double overflow = spec.option("overflow", BalancedBloomMath.USUAL_OVERFLOW, 0.0001, 0.1);
        double keysPerBlock = BalancedBloomMath.keysPerBlock(spec.fpp(), overflow);
        int threshold = BalancedBloomMath.threshold(keysPerBlock, overflow);
        int probes = BalancedBloomMath.bestProbes(keysPerBlock, threshold);
        double blocks = Math.max(1, Math.ceil(spec.capacity() / keysPerBlock));
        if (blocks * BLOCK_BITS > BitVector.MAX_SIZE_IN_BITS) {
            throw new IllegalArgumentException("no " + KIND + " filter holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        return new BalancedBloomFilter(
                new BitVector(BLOCK_BITS * (long) blocks),
                new PackedArray((long) blocks, COUNT_BITS),
                new ExactHashes(),
                probes,
                threshold,
                spec.seed(),
                0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        return isInBlock(mixed, block(mixed)) || list.contains(hash);
    }

    private long block(long mixed) {
        return Math.multiplyHigh(mixed >>> 1, doubleBlockCount);
    }

    private boolean isInBlock(long mixed, long block) {
        int first = (int) block * BLOCK_WORDS + Words.LEAD;
        long draw = 0;
        for (int probe = 0; probe < probes; probe++) {
            draw = probe % PLACES_A_DRAW == 0 ? Mix.expand(mixed, 0, probe) : draw >>> PLACE_BITS;
            int place = (int) draw & BLOCK_BITS - 1;
            if ((words[first + (place >>> 6)] >>> place & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean insertHash(long hash) {
        if (mightContainHash(hash)) {
            return false;
        }
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        long block = block(mixed);
        long inBlock = blockCounts.get(block);
        if (inBlock < threshold) {
            blockCounts.set(block, inBlock + 1);
            setInBlock(mixed, block);
        } else {
            list.add(hash);
        }
        count++;
        return true;
    }

    private void setInBlock(long mixed, long block) {
        int first = (int) block * BLOCK_WORDS + Words.LEAD;
        long draw = 0;
        for (int probe = 0; probe < probes; probe++) {
            draw = probe % PLACES_A_DRAW == 0 ? Mix.expand(mixed, 0, probe) : draw >>> PLACE_BITS;
            int place = (int) draw & BLOCK_BITS - 1;
            words[first + (place >>> 6)] |= 1L << place;
        }
    }

    /** How many keys are in the list. */
    public int listedCount() {
        return list.size();
    }

    /** The memory of the blocks alone, which is what the paper counts. */
    public long blocksInBits() {
        return bits.sizeInBits();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return bits.sizeInBits() + blockCounts.sizeInBits() + list.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        double sum = 0;
        for (int first = Words.LEAD; first < words.length; first += BLOCK_WORDS) {
            int set = 0;
            for (int word = 0; word < BLOCK_WORDS; word++) {
                set += Long.bitCount(words[first + word]);
            }
            sum += Math.pow((double) set / BLOCK_BITS, probes);
        }
        return sum / blockCounts.length();
    }

    @Override
    public FilterImage image() {
        return new FilterImage(
                KIND,
                new long[] {blockCounts.length(), probes, threshold, seed, count},
                List.of(words, blockCounts.words(), list.toWords()));
    }

    static BalancedBloomFilter of(FilterImage image) {
        image.checkForm(5, 3);
        long blocks = image.parameter(0);
        long probes = image.parameter(1);
        long threshold = image.parameter(2);
        long count = image.parameter(4);
        image.check(blocks >= 1 && blocks <= BitVector.MAX_SIZE_IN_BITS / BLOCK_BITS, blocks + " blocks cannot be");
        image.check(probes >= 1 && probes <= BalancedBloomMath.MAX_PROBES, probes + " probes cannot be");
        image.check(
                threshold >= 1 && threshold <= BalancedBloomMath.MOST_THRESHOLD,
                "a threshold of " + threshold + " cannot be");
        BitVector bits = Shapes.readBits(image, 0, blocks * BLOCK_BITS);
        PackedArray counts;
        try {
            counts = new PackedArray(image.sections().get(1), blocks, COUNT_BITS);
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(KIND + ": " + e.getMessage(), e);
        }
        long inBlocks = 0;
        for (long block = 0; block < blocks; block++) {
            image.check(counts.get(block) <= threshold, "block " + block + " has more keys than it takes");
            inBlocks += counts.get(block);
        }
        long used = blocks * COUNT_BITS;
        long[] words = counts.words();
        image.check(
                words[(int) (used >>> 6) + Words.LEAD] >>> used == 0 && words[words.length - 1] == 0,
                "bits behind the last count are set");
        ExactHashes list = readList(image);
        image.check(count == inBlocks + list.size(), "a count of " + count + " is wrong");
        return new BalancedBloomFilter(bits, counts, list, (int) probes, (int) threshold, image.parameter(3), count);
    }

    private static ExactHashes readList(FilterImage image) {
        ExactHashes list = new ExactHashes();
        long[] words = image.sections().get(2);
        for (int i = Words.LEAD; i < words.length; i++) {
            image.check(i == Words.LEAD || words[i] > words[i - 1], "its list is not in order");
            list.add(words[i]);
        }
        return list;
    }
}
