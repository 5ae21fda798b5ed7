package dev.besom.compact;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.MergeCheck;
import dev.besom.spi.PersistentFilter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * TinySet: a hash table of fingerprints in blocks of a fixed size, one cache line by default, whose fingerprints get
 * shorter as their block fills. It never refuses a key for want of planned room: beyond the planned load its rate rises
 * gently, until a single block has no bit left for one more slot. Keys can be taken out again, at a price in accuracy.
 *
 * <pre>
 *   hash  --scatter--&gt;  | block: by its top bits ...           |
 *       its product with a constant  | chain: by its top bits | fingerprint: 32 bits | ... |
 *
 *   section   block 0 | block 1 | block 2 | ... | 64 unused bits
 * </pre>
 *
 * The picture of a block is that of {@link ChainBlock}, or with an explicit counter that of {@link CountedBlock}.
 *
 * <p>One writer at a time; any number of threads may query meanwhile. Each stripe of blocks has a seqlock: a write makes
 * its version odd before and even after it. A "no" counts only if the version was even and has not changed meanwhile; the
 * query is repeated otherwise. A "maybe" needs no check: it can only be a false positive.
 *
 * <p>Cost: at a rate of 1 % with 64-byte blocks 9.2 bits a key, 13.1 at 0.1 %. A query reads one block. Deleting keys and
 * inserting others makes it less accurate little by little: a block keeps as many slots as it ever had.
 *
 * <p>Departures from the paper are told in {@link ChainBlock}. Beyond the paper, filters can be united: a block's
 * fingerprints always know as many bits as the union's slots have.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015.
 */
public final class TinySetFilter implements DeletableFilter, MergeableFilter, PersistentFilter {

    static final String KIND = "tinyset";

    static final ImageForm FORM = new ImageForm(KIND);

    private static final ImageForm.LongField BLOCK_BITS = FORM.whole(
            "blockBits", "bits of a block, from chains + 65, at least 96, to 8192; words where it is counted");
    private static final ImageForm.LongField CHAINS = FORM.whole("chains", "chains of a block, 8 to 128");
    private static final ImageForm.LongField BLOCKS = FORM.whole("blocks", "number of blocks");
    private static final ImageForm.LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final ImageForm.LongField COUNT = FORM.whole("count", "keys in the filter");
    private static final ImageForm.LongField LAYOUT =
            FORM.whole("layout", "how blocks are laid out: 2 in planes, 3 in planes of one width, 4 counted");
    private static final ImageForm.Section WORDS =
            FORM.section("blocks", "the blocks, one behind the other, and 64 unused bits");

    private static final long SEED_SALT = 0x5BE0CD19137E2179L;
    private static final long DRAW = 0xCBBB9D5DC1059ED9L;

    /** How many fingerprints that go on from a shorter one are tried. */
    private static final int NEXT_BITS = 1 << 6;

    /** Chains take at most the seven bits above those of the fingerprint. */
    private static final int FINGERPRINT_SHIFT = 25;

    /** So many blocks can be under change and read without disturbing each other; must be a power of two. */
    private static final int STRIPES = 256;

    private static final VarHandle VERSION = MethodHandles.arrayElementVarHandle(int[].class);

    private final BlockForm form;
    private final BlockLayout layout;
    private final int blockCount;
    private final long seed;
    private final long[] words;
    private final int[] versions = new int[STRIPES];
    private final BlockWriter editor;

    /** What the writer prefetched, kept lest the compiler drop the reads. */
    private final long[] prefetched = new long[1];

    /** What a query needs, at hand. */
    private final long factor;

    /** Undoes that factor. */
    private final long inverse;

    private final boolean isLine;
    private final boolean isCountedLine;
    private final int blockBits;
    private final int chains;

    private long count;

    private TinySetFilter(BlockForm form, BlockLayout layout, int blockCount, long seed, long[] words) {
        this.form = form;
        this.layout = layout;
        this.blockCount = blockCount;
        this.seed = seed;
        this.words = words;
        this.editor = layout.writer();
        this.factor = Mix.factor(seed + SEED_SALT);
        this.inverse = Mix.inverse(factor);
        this.isLine = LineBlock.isLine(layout);
        this.isCountedLine = CountedLine.isLine(layout);
        this.blockBits = layout.blockBits();
        this.chains = layout.chains();
    }

    /** An empty filter sized for the spec, with blocks as its options say; see {@link TinySetShape}. */
    static TinySetFilter make(FilterSpec spec) {
        TinySetShape shape = TinySetShape.of(spec);
        double blocks = Math.max(1, Math.ceil(spec.capacity() / shape.keysPerBlock()));
        if (blocks * shape.blockBits() > (Words.MAX_COUNT - 1) * 64.0) {
            throw new IllegalArgumentException(
                    "no TinySet holds " + spec.capacity() + " keys at a false-positive rate of " + spec.fpp());
        }
        BlockLayout layout = shape.layout();
        long[] words = Words.allocate(wordCount(layout, (int) blocks));
        return new TinySetFilter(shape.form(), layout, (int) blocks, spec.seed(), words);
    }

    private static long wordCount(BlockLayout layout, long blockCount) {
        return Words.forBits(blockCount * layout.blockBits()) + 1;
    }

    private int block(long mixed) {
        return (int) FastRange.place(mixed, blockCount);
    }

    private long at(int block) {
        return (long) block * blockBits + (Words.LEAD << 6);
    }

    /** The array index of the first word of a block that is a line. */
    private static int firstWord(int block) {
        return block * LineBlock.WORDS + Words.LEAD;
    }

    /** What chain and fingerprint are taken from. */
    private static long draw(long mixed) {
        return mixed * DRAW;
    }

    private int chain(long draw) {
        return (int) FastRange.placeOfHalf(draw >>> 32, chains);
    }

    private static int lineChain(long draw) {
        return (int) (draw >>> LineBlock.CHAIN_SHIFT);
    }

    private static int countedChain(long draw) {
        return (int) FastRange.placeOfHalf(draw >>> 32, CountedLine.CHAINS);
    }

    private static int fingerprint(long draw) {
        return (int) (draw >>> FINGERPRINT_SHIFT);
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.scatter(hash, factor);
        int block = block(mixed);
        int version = (int) VERSION.getAcquire(versions, block & STRIPES - 1);
        if (blockMightContain(block, draw(mixed))) {
            return true;
        }
        VarHandle.loadLoadFence();
        return isDisturbed(block, version) && mightContainBesideWrites(mixed, block);
    }

    private boolean blockMightContain(int block, long draw) {
        if (isLine) {
            return LineBlock.mightContain(words, firstWord(block), lineChain(draw), fingerprint(draw));
        }
        return isCountedLine
                ? CountedLine.mightContain(words, firstWord(block), countedChain(draw), fingerprint(draw))
                : layout.mightContain(words, at(block), chain(draw), fingerprint(draw));
    }

    /** Whether a write to the block's stripe was under way at a version, or has been since. */
    private boolean isDisturbed(int block, int version) {
        return (version & 1) != 0 || (int) VERSION.getOpaque(versions, block & STRIPES - 1) != version;
    }

    /** Repeats the query until no write came between. */
    private boolean mightContainBesideWrites(long mixed, int block) {
        while (true) {
            int version = (int) VERSION.getAcquire(versions, block & STRIPES - 1);
            boolean found = blockMightContain(block, draw(mixed));
            VarHandle.loadLoadFence();
            if (found || !isDisturbed(block, version)) {
                return found;
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            // Prefetch: reading the blocks and nothing else keeps as many memory accesses in flight as the processor
            // can
            // have. What was read goes where the answers will, lest the compiler drop the loop.
            result[base >>> 6] = prefetch(hashes, from + base, lanes);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                word |= (mightContainHash(hashes[from + base + lane]) ? 1L : 0L) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    /** Reads a word of the block of each hash; returns something that depends on all of them. */
    private long prefetch(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= words[(int) (at(block(Mix.scatter(hashes[from + lane], factor))) >>> 6)];
        }
        return all;
    }

    /**
     * Puts a hash in once more; a hash that is in already then has two slots.
     *
     * @throws FilterFullException if the hash's block has no bit left for one more slot
     */
    @Override
    public boolean insertHash(long hash) {
        long mixed = Mix.scatter(hash, factor);
        int block = block(mixed);
        long draw = draw(mixed);
        boolean isNew = editor.put(words, at(block), chain(draw), fingerprint(draw));
        store(block, at(block));
        count++;
        return isNew;
    }

    @Override
    public void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        for (int base = from; base < from + count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, from + count - base);
            // Prefetch, as in a bulk query.
            prefetched[0] = prefetch(hashes, base, lanes);
            for (int lane = 0; lane < lanes; lane++) {
                insertHash(hashes[base + lane]);
            }
        }
    }

    @Override
    public boolean deleteHash(long hash) {
        long mixed = Mix.scatter(hash, factor);
        int block = block(mixed);
        long at = at(block);
        long draw = draw(mixed);
        editor.load(words, at);
        if (!editor.delete(chain(draw), fingerprint(draw))) {
            return false;
        }
        store(block, at);
        count--;
        return true;
    }

    /**
     * Whether a slot answers for a hash that is none of others' own.
     *
     * @param others hashes that are in once each; those of other blocks do not matter
     * @return false where it cannot be told
     */
    public boolean hasSlotBeside(long hash, long[] others) {
        long mixed = Mix.scatter(hash, factor);
        int block = block(mixed);
        editor.load(words, at(block));
        for (long other : others) {
            long otherMixed = Mix.scatter(other, factor);
            long draw = draw(otherMixed);
            if (block(otherMixed) == block && !editor.delete(chain(draw), fingerprint(draw))) {
                return false;
            }
        }
        long draw = draw(mixed);
        return editor.delete(chain(draw), fingerprint(draw));
    }

    /** Writes the editor's block back, inside of its stripe's seqlock. */
    private void store(int block, long at) {
        int stripe = block & STRIPES - 1;
        int version = versions[stripe];
        VERSION.setOpaque(versions, stripe, version + 1);
        VarHandle.storeStoreFence();
        editor.store(words, at);
        VERSION.setRelease(versions, stripe, version + 2);
    }

    /**
     * The hash that the filter mixes into a given number. Blocks are ranges of mixed numbers, and so of what is put in by way of
     * this.
     */
    public long unmixed(long mixed) {
        return Mix.unscatter(mixed, inverse);
    }

    /** Block, chain and the lowest bits of the fingerprint of a mixed number, as one number below {@link #fingerprintCount(int)}. */
    public long fingerprint(long mixed, int lowestBits) {
        long draw = draw(mixed);
        return (((long) block(mixed) * chains + chain(draw)) << lowestBits)
                | (fingerprint(draw) & ((1L << lowestBits) - 1));
    }

    /** How many different fingerprints with that many bits beside block and chain there are. */
    public long fingerprintCount(int lowestBits) {
        return ((long) blockCount * chains) << lowestBits;
    }

    /**
     * The part of the hashes with a fingerprint of that many bits that are answered "maybe". Where slots have more bits the answers
     * for the next six bits are averaged.
     */
    public double foundShare(long fingerprint, int lowestBits) {
        long place = fingerprint >>> lowestBits;
        int known = (int) (fingerprint & ((1L << lowestBits) - 1));
        int found = 0;
        for (int next = 0; next < NEXT_BITS; next++) {
            int whole = known | (next << lowestBits);
            found += layout.mightContain(words, at((int) (place / chains)), (int) (place % chains), whole) ? 1 : 0;
        }
        return found / (double) NEXT_BITS;
    }

    /** The smallest number, in unsigned order, in the block of a mixed number. */
    public long firstMixed(long mixed) {
        return FastRange.start(block(mixed), blockCount);
    }

    /** The largest number, in unsigned order, in the block of a mixed number. */
    public long lastMixed(long mixed) {
        return FastRange.end(block(mixed), blockCount);
    }

    /** Puts every slot of the other filter into this one, block by block. */
    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(FORM.kind());
        TinySetFilter that = check.type(TinySetFilter.class, other);
        check.same("bits of blocks", blockBits, that.blockBits);
        check.same("chains of blocks", chains, that.chains);
        check.same("form of blocks", form.label(), that.form.label());
        check.same("blocks", blockCount, that.blockCount);
        check.same("seed", seed, that.seed);
        for (int block = 0; block < blockCount; block++) {
            editor.slotsOfUnion(words, that.words, at(block));
        }
        for (int block = 0; block < blockCount; block++) {
            editor.unite(words, that.words, at(block));
            store(block, at(block));
        }
        count += that.count;
    }

    @Override
    public long count() {
        return count;
    }

    /** All slots: those of the keys, and those that were given up and not taken again. */
    public long slotCount() {
        long slots = 0;
        for (int block = 0; block < blockCount; block++) {
            slots += layout.slots(words, at(block));
        }
        return slots;
    }

    /** The number of blocks. */
    public int blockCount() {
        return blockCount;
    }

    /** The bits of a block. */
    public int blockBits() {
        return blockBits;
    }

    /** The chains of a block. */
    public int chainsPerBlock() {
        return chains;
    }

    @Override
    public long sizeInBits() {
        return (long) Words.count(words) << 6;
    }

    @Override
    public double expectedFpp() {
        double sum = 0;
        for (int block = 0; block < blockCount; block++) {
            sum += layout.rate(words, at(block));
        }
        return sum / blockCount;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(BLOCK_BITS, blockBits)
                .set(CHAINS, chains)
                .set(BLOCKS, blockCount)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(LAYOUT, form.number())
                .set(WORDS, words)
                .image();
    }

    static TinySetFilter read(FilterImage image) {
        long blockBits = image.get(BLOCK_BITS);
        long chains = image.get(CHAINS);
        long blockCount = image.get(BLOCKS, 1, Integer.MAX_VALUE);
        long[] words = image.get(WORDS);
        BlockForm form = BlockForm.of(image.get(LAYOUT, BlockForm.FIRST, BlockForm.LAST));
        image.check(
                form.isPossible(blockBits, chains),
                "blocks of " + blockBits + " bits with " + chains + " chains cannot be");
        BlockLayout layout = form.layout((int) blockBits, (int) chains);
        image.check(
                Words.count(words) == wordCount(layout, blockCount),
                Words.count(words) + " words do not hold " + blockCount + " blocks");
        TinySetFilter filter = new TinySetFilter(form, layout, (int) blockCount, image.get(SEED), words);
        filter.count = image.get(COUNT);
        image.checkInvariants(filter::checkInvariants);
        return filter;
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        long keys = 0;
        for (int block = 0; block < blockCount; block++) {
            editor.load(words, at(block));
            try {
                keys += editor.checkInvariants();
            } catch (IllegalStateException e) {
                throw new IllegalStateException("block " + block + ": " + e.getMessage(), e);
            }
        }
        if (keys != count) {
            throw new IllegalStateException(count + " keys are counted and " + keys + " are there");
        }
        long end = at(blockCount);
        int word = (int) (end >>> 6);
        if (words[word] >>> end != 0 || words[words.length - 1] != 0) {
            throw new IllegalStateException("bits behind the last block are set");
        }
    }
}
