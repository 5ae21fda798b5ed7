package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;

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
 * A query reads one block and, if a bit is missing there, looks into the list.
 *
 * <p>Departures from the paper: the list is a hash table and not an associative memory beside the processor, and both it
 * and the counts of the blocks are counted as memory here, which the paper does not do.
 *
 * <p>Cost: {@link BalancedBloomMath}; at 1 % the blocks alone take 10.3 bits a key. One writer at a time, and no query
 * beside it.
 *
 * <p>Y. Kanizo, D. Hay, I. Keslassy: Access-efficient balanced Bloom filters. Computer Communications 36(4), 2013.
 */
public final class BalancedBloomFilter implements InsertableFilter, PersistentFilter {

    static final String KIND = "balanced-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField BLOCKS = FORM.whole("blocks", "blocks of 256 bits");
    private static final LongField PROBES = FORM.whole("probes", "bits a key sets, 1 to 24");
    private static final LongField THRESHOLD = FORM.whole("threshold", "keys that a block takes, 1 to 255");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "keys in all blocks and in the list");
    private static final Section WORDS = FORM.section("words", "the blocks, four words each");
    private static final Section BLOCK_COUNTS =
            FORM.section("block counts", "8 bits a block, how many keys it took; packed, and a word of 0");
    private static final Section LISTED =
            FORM.section("listed hashes", "the hashes in the list, ascending as signed numbers");

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
    private final Shape shape;
    private final int probes;
    private final long seed;
    private long count;

    /**
     * What stays the same in a filter's life.
     *
     * @param probes bits a key sets
     * @param threshold keys that a block takes
     * @param seed what the hash functions are drawn from
     */
    private record Shape(int probes, int threshold, long seed) {}

    private BalancedBloomFilter(BitVector bits, PackedArray blockCounts, ExactHashes list, Shape shape) {
        this.bits = bits;
        this.words = bits.words();
        this.blockCounts = blockCounts;
        this.list = list;
        this.shape = shape;
        this.probes = shape.probes;
        this.seed = shape.seed;
        this.count = list.size();
        for (long block = 0; block < blockCounts.length(); block++) {
            this.count += blockCounts.get(block);
        }
    }

    /** A filter sized for the spec; the option {@code overflow} is the planned share of keys in the list. */
    static BalancedBloomFilter make(FilterSpec spec) {
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
                new Shape(probes, BalancedBloomMath.countedKeys(threshold, probes), spec.seed()));
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        return isInBlock(mixed, block(mixed)) || list.contains(hash);
    }

    private long block(long mixed) {
        return FastRange.place(mixed, blockCounts.length());
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
        if (inBlock < shape.threshold) {
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
        return FORM.write()
                .set(BLOCKS, blockCounts.length())
                .set(PROBES, probes)
                .set(THRESHOLD, shape.threshold)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(WORDS, words)
                .set(BLOCK_COUNTS, blockCounts.words())
                .set(LISTED, list.toWords())
                .image();
    }

    static BalancedBloomFilter read(FilterImage image) {
        long blocks = image.get(BLOCKS, 1, BitVector.MAX_SIZE_IN_BITS / BLOCK_BITS);
        int probes = (int) image.get(PROBES, 1, BalancedBloomMath.MAX_PROBES);
        int threshold = (int) image.get(THRESHOLD, 1, BalancedBloomMath.MOST_THRESHOLD);
        BitVector bits = image.checked(() -> new BitVector(image.get(WORDS), blocks * BLOCK_BITS));
        PackedArray counts = image.checked(() -> PackedArray.checked(image.get(BLOCK_COUNTS), blocks, COUNT_BITS));
        long inBlocks = 0;
        for (long block = 0; block < blocks; block++) {
            if (counts.get(block) > threshold) {
                throw image.malformed("block " + block + " has more keys than it takes");
            }
            inBlocks += counts.get(block);
        }
        ExactHashes list = ExactHashes.read(image, LISTED);
        long count = inBlocks + list.size();
        image.check(image.get(COUNT) == count, "a count of " + image.get(COUNT) + " is wrong");
        return new BalancedBloomFilter(bits, counts, list, new Shape(probes, threshold, image.get(SEED)));
    }
}
