package dev.besom.fuse;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.BatchRoom;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedBytes;
import dev.besom.bits.PackedNumbers;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;

/**
 * A binary fuse filter: a static filter of fingerprints of any width from 1 to 32 bits. A key is "maybe" there if the
 * exclusive or of the fingerprints in its three or four slots is its own; for another key that is so with a chance of
 * {@code 2^-width}.
 *
 * <pre>
 *   hash --mix, where hashes are uneven--&gt;  | shard (fastrange) | fraction of the shard |
 *
 *   slots of a shard:  ... | 3A | .. | 7F | .. | C1 | ...          3A ^ 7F ^ C1 = 84 = fingerprint of the key
 *                            ^         ^         ^
 * </pre>
 *
 * The picture of the slots is in {@link FuseShape}; a filter has one shard, unless it has very many keys or is to be
 * built in little memory ({@link FuseBuilder}).
 *
 * <p>Departures from the paper: any fingerprint width; first slots in the order of hashes, and shards, so that a sorted or
 * huge source is filled piece by piece; other functions for a shard that fails; equal hashes are given up in the course of
 * peeling.
 *
 * <p>Cost: 1.125 * width bits a key with 3 slots from a million keys on, 1.075 * width with 4. A query reads 3 or 4 random
 * places. Slots are kept in bytes, of which one read takes as many as a slot needs, at any byte; they are words in files only.
 *
 * <p>T. M. Graf and D. Lemire: Binary fuse filters: fast and smaller than xor filters. JEA 2022. S. Walzer: Peeling close
 * to the orientability threshold. SODA 2021.
 */
public final class FuseFilter implements PersistentFilter {

    static final String KIND = "fuse";

    static final int MOST_WIDTH = 32;

    private static final int MOST_SHARDS = 1 << 20;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField ARITY = FORM.whole("arity", "slots a key has, 3 or 4");
    private static final LongField WIDTH = FORM.whole("fingerprintBits", "bits of a slot, 1 to 32");
    private static final LongField SEGMENT_BITS = FORM.whole("segmentBits", "log2 of the slots of a segment");
    private static final LongField SEGMENTS = FORM.whole("segments", "segments of a shard that first slots are in");
    private static final LongField SHARDS = FORM.whole("shards", "contiguous ranges of hashes with slots of their own");
    private static final LongField MIXED = FORM.whole("mixed", "1 if hashes are mixed before use, else 0");
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField COUNT = FORM.whole("count", "different keys");
    private static final Section ATTEMPTS = FORM.section("attempts", "the number of the function of each shard");
    private static final Section SLOTS = FORM.section("slots", "fingerprints, shard after shard, and one word more");

    /**
     * What a filter is apart from its keys.
     *
     * @param arity slots a key has
     * @param width bits of a slot
     * @param seed what the functions are drawn from
     * @param shardCount how many shards there are
     * @param isMixed whether hashes are mixed before use
     */
    record Scheme(int arity, int width, long seed, int shardCount, boolean isMixed) {

        Scheme mixing() {
            return new Scheme(arity, width, seed, shardCount, true);
        }

        long spread(long hash) {
            return isMixed ? Mix.mix(hash) : hash;
        }

        /** By the upper half of a hash, as the cells of {@link FuseBuilder} are: by all bits a few hashes have another one. */
        static int shard(long spread, long shardCount) {
            return (int) FuseShape.first(spread, shardCount);
        }

        long fraction(long spread) {
            return spread * shardCount;
        }

        long factor(long attempt) {
            return FuseShape.factor(seed, attempt);
        }
    }

    private final Scheme scheme;
    private final FuseShape shape;
    private final long[] attempts;
    private final long count;

    /** The slots; none of them where they are too many for an array of bytes, and are in the other. */
    private final PackedBytes bytes;

    private final PackedArray array;
    private final boolean isInBytes;
    private final boolean isOfBytes;

    /** What queries need, at hand. */
    private final long[] factors;

    private final long shardCount;
    private final boolean isMixed;
    private final boolean isFourWise;
    private final boolean isPlain;
    private final boolean isPlainOfBytes;
    private final boolean isPlainOfShorts;
    private final boolean isShardedOfBytes;
    private final boolean isFarInBytes;
    private final int segment;
    private final long factor;
    private final int width;
    private final long mask;
    private final int segmentBits;
    private final long firstSlots;
    private final long slotsOfShard;

    FuseFilter(Scheme scheme, FuseShape shape, PackedNumbers slots, long[] attempts, long count) {
        this.scheme = scheme;
        this.shape = shape;
        this.attempts = attempts;
        this.count = count;
        this.isInBytes = slots instanceof PackedBytes;
        this.isOfBytes = isInBytes && scheme.width() == Byte.SIZE;
        this.bytes = slots instanceof PackedBytes packed ? packed : new PackedBytes(0, scheme.width());
        this.array = slots instanceof PackedArray words ? words : new PackedArray(0, scheme.width());
        this.factors = Arrays.stream(attempts).map(scheme::factor).toArray();
        this.shardCount = shape.slotCount() == 0 ? 0 : scheme.shardCount();
        this.isMixed = scheme.isMixed();
        this.isFourWise = scheme.arity() == 4;
        this.width = scheme.width();
        this.isPlain = shardCount == 1 && !isMixed && !isFourWise && isInBytes;
        this.isPlainOfBytes = isPlain && isOfBytes;
        this.isPlainOfShorts = isPlain && width == Short.SIZE;
        this.isShardedOfBytes = shardCount > 1 && !isMixed && !isFourWise && isOfBytes;
        this.isFarInBytes = (isPlainOfBytes || isShardedOfBytes) && Bitmaps.isFar(bytes.sizeInBits());
        this.segment = 1 << shape.segmentBits();
        this.factor = factors[0];
        this.mask = -1L >>> (Long.SIZE - width);
        this.segmentBits = shape.segmentBits();
        this.firstSlots = shape.firstSlots();
        this.slotsOfShard = shape.slotCount();
    }

    /** So many slots, all 0. */
    static PackedNumbers emptySlots(long count, int width) {
        return PackedBytes.fits(count, width) ? new PackedBytes(count, width) : new PackedArray(count, width);
    }

    static FuseFilter build(FilterSpec spec, HashSource source) {
        int arity = (int) spec.option("arity", 3, 3, 4);
        return FuseBuilder.build(spec, arity, width(spec), source);
    }

    /** The bits of a fingerprint that the rate takes, or that the option says. */
    static int width(FilterSpec spec) {
        long width = Math.max(1, (long) Math.ceil(-Math.log(spec.fpp()) / Math.log(2) - 1e-9));
        boolean isGiven = spec.options().containsKey("fingerprintBits");
        if (width > MOST_WIDTH && !isGiven) {
            throw new IllegalArgumentException(
                    "fingerprints of 32 bits have no rate below 2^-32, such as " + spec.fpp());
        }
        return (int) spec.option("fingerprintBits", width, 1, MOST_WIDTH);
    }

    @Override
    public boolean mightContainHash(long hash) {
        if (isPlainOfBytes) {
            return isInBytes(hash, factor, 0);
        }
        if (isPlainOfShorts) {
            return isInShorts(hash);
        }
        if (isPlain) {
            return plainDifference(hash) == 0;
        }
        if (isShardedOfBytes) {
            int shard = Scheme.shard(hash, shardCount);
            return isInBytes(hash * shardCount, factors[shard], shard * (int) slotsOfShard);
        }
        long spread = isMixed ? Mix.mix(hash) : hash;
        if (shardCount == 1) {
            return difference(spread, 0, factors[0]) == 0;
        }
        if (shardCount == 0) {
            return false;
        }
        int shard = Scheme.shard(spread, shardCount);
        return difference(spread * shardCount, shard * slotsOfShard, factors[shard]) == 0;
    }

    /** Whether three slots that are bytes come to a fingerprint, in as few instructions as can be. */
    private boolean isInBytes(long fraction, long shardFactor, int firstSlot) {
        long scattered = FuseShape.scatter(fraction, shardFactor);
        int first = firstSlot + (int) FuseShape.first(fraction, firstSlots);
        int second = FuseShape.secondIndex(first, scattered, segment);
        int third = FuseShape.thirdIndex(first, scattered, segment);
        return (byte) (bytes.byteAt(first) ^ bytes.byteAt(second) ^ bytes.byteAt(third))
                == (byte) FuseShape.fingerprint(scattered, Byte.SIZE);
    }

    /** {@link #isInBytes} of slots of two bytes, and one shard. */
    private boolean isInShorts(long hash) {
        long scattered = FuseShape.scatter(hash, factor);
        int first = (int) FuseShape.first(hash, firstSlots);
        int second = FuseShape.secondIndex(first, scattered, segment);
        int third = FuseShape.thirdIndex(first, scattered, segment);
        return (short) (bytes.shortAt(first) ^ bytes.shortAt(second) ^ bytes.shortAt(third))
                == (short) FuseShape.fingerprint(scattered, Short.SIZE);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int hashCount, long[] result) {
        Bitmaps.checkBulk(hashes, from, hashCount, result);
        if (isFarInBytes && hashCount >= Long.SIZE) {
            int[] room = BatchRoom.ofThread();
            for (int base = 0; base < hashCount; base += BatchRoom.BATCH) {
                int batch = Math.min(BatchRoom.BATCH, hashCount - base);
                locate(hashes, from + base, batch, room);
                for (int lane = 0; lane < batch; lane += Long.SIZE) {
                    int lanes = Math.min(Long.SIZE, batch - lane);
                    // What was read goes where the answers will, lest the loop be left out.
                    result[(base + lane) >>> 6] = fetched(room, lane, lanes);
                    result[(base + lane) >>> 6] = located(room, lane, lanes);
                }
            }
            return;
        }
        for (int base = 0; base < hashCount; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, hashCount - base);
            result[base >>> 6] = shardCount == 0 ? 0 : lanesThatMight(hashes, from + base, lanes);
        }
    }

    /** Notes the fingerprints and the three slots of some hashes. */
    private void locate(long[] hashes, int from, int batch, int[] room) {
        for (int i = 0; i < batch; i++) {
            long hash = hashes[from + i];
            int shard = isPlainOfBytes ? 0 : Scheme.shard(hash, shardCount);
            long fraction = isPlainOfBytes ? hash : hash * shardCount;
            long scattered = FuseShape.scatter(fraction, isPlainOfBytes ? factor : factors[shard]);
            int first = shard * (int) slotsOfShard + (int) FuseShape.first(fraction, firstSlots);
            room[i] = (int) FuseShape.fingerprint(scattered, Byte.SIZE);
            room[BatchRoom.BATCH + i] = first;
            room[2 * BatchRoom.BATCH + i] = FuseShape.secondIndex(first, scattered, segment);
            room[3 * BatchRoom.BATCH + i] = FuseShape.thirdIndex(first, scattered, segment);
        }
    }

    /** Reads the slots of what was located and does nothing else; something that depends on all of them. */
    private long fetched(int[] room, int from, int lanes) {
        int all = 0;
        for (int lane = from; lane < from + lanes; lane++) {
            all ^= bytes.byteAt(room[BatchRoom.BATCH + lane])
                    ^ bytes.byteAt(room[2 * BatchRoom.BATCH + lane])
                    ^ bytes.byteAt(room[3 * BatchRoom.BATCH + lane]);
        }
        return all;
    }

    /** Up to 64 answers for what was located. */
    private long located(int[] room, int from, int lanes) {
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            int at = from + lane;
            int difference = room[at]
                    ^ bytes.byteAt(room[BatchRoom.BATCH + at])
                    ^ bytes.byteAt(room[2 * BatchRoom.BATCH + at])
                    ^ bytes.byteAt(room[3 * BatchRoom.BATCH + at]);
            maybe |= zero(difference & mask) << lane;
        }
        return maybe;
    }

    /** Queries up to 64 hashes with no branch that depends on what is read, so that memory accesses overlap. */
    private long lanesThatMight(long[] hashes, int from, int lanes) {
        long maybe = 0;
        if (isPlainOfBytes) {
            for (int lane = 0; lane < lanes; lane++) {
                maybe |= (isInBytes(hashes[from + lane], factor, 0) ? 1L : 0L) << lane;
            }
            return maybe;
        }
        if (isPlain) {
            for (int lane = 0; lane < lanes; lane++) {
                maybe |= zero(plainDifference(hashes[from + lane])) << lane;
            }
            return maybe;
        }
        for (int lane = 0; lane < lanes; lane++) {
            long spread = isMixed ? Mix.mix(hashes[from + lane]) : hashes[from + lane];
            int shard = Scheme.shard(spread, shardCount);
            long difference = difference(spread * shardCount, shard * slotsOfShard, factors[shard]);
            maybe |= zero(difference) << lane;
        }
        return maybe;
    }

    /** 1 if a number is 0, without a branch: the highest bit of -x | x is set unless x is 0. */
    private static long zero(long number) {
        return ~(-number | number) >>> 63;
    }

    /** {@link #difference} of the usual filter: one shard, three slots. */
    private long plainDifference(long hash) {
        long scattered = FuseShape.scatter(hash, factor);
        int first = (int) FuseShape.first(hash, firstSlots);
        int second = FuseShape.secondIndex(first, scattered, segment);
        int third = FuseShape.thirdIndex(first, scattered, segment);
        long sum = bytes.bitsFrom(first) ^ bytes.bitsFrom(second) ^ bytes.bitsFrom(third);
        return (sum ^ FuseShape.fingerprint(scattered, width)) & mask;
    }

    /** In what the slots of a hash together differ from its fingerprint; 0 for every key. */
    private long difference(long fraction, long firstSlot, long factor) {
        long scattered = FuseShape.scatter(fraction, factor);
        long first = FuseShape.first(fraction, firstSlots) + firstSlot;
        long sum = slot(first)
                ^ slot(FuseShape.second(first, scattered, segmentBits))
                ^ slot(FuseShape.third(first, scattered, segmentBits));
        if (isFourWise) {
            sum ^= slot(FuseShape.fourth(first, scattered, segmentBits));
        }
        return (sum ^ FuseShape.fingerprint(scattered, width)) & mask;
    }

    /** The fingerprint of a slot, and arbitrary bits above it. */
    private long slot(long slot) {
        if (isOfBytes) {
            return bytes.byteAt((int) slot);
        }
        return isInBytes ? bytes.bitsFrom(slot) : array.bitsFrom(slot);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return (isInBytes ? bytes.sizeInBits() : array.sizeInBits()) + ((long) factors.length << 6);
    }

    @Override
    public double expectedFpp() {
        return count == 0 ? 0 : Math.scalb(1.0, -width);
    }

    @Override
    public FilterImage image() {
        long[] attemptWords = Words.allocate(attempts.length);
        System.arraycopy(attempts, 0, attemptWords, Words.LEAD, attempts.length);
        return FORM.write()
                .set(ARITY, shape.arity())
                .set(WIDTH, width)
                .set(SEGMENT_BITS, shape.segmentBits())
                .set(SEGMENTS, shape.segmentCount())
                .set(SHARDS, scheme.shardCount())
                .set(MIXED, isMixed ? 1 : 0)
                .set(SEED, scheme.seed())
                .set(COUNT, count)
                .set(ATTEMPTS, attemptWords)
                .set(SLOTS, isInBytes ? bytes.toWords() : array.words())
                .image();
    }

    static FuseFilter read(FilterImage image) {
        FORM.check(image);
        int arity = (int) image.get(ARITY, 3, 4);
        int width = (int) image.get(WIDTH, 1, MOST_WIDTH);
        int shards = (int) image.get(SHARDS, 1, MOST_SHARDS);
        int segments = (int) image.get(SEGMENTS, 0, 1 << 30);
        int segmentBits = (int) image.get(SEGMENT_BITS, 0, FuseShape.MOST_SEGMENT_BITS);
        boolean isMixed = image.get(MIXED, 0, 1) != 0;
        FuseShape shape = new FuseShape(arity, segmentBits, segments);
        image.check(segments > 0 || (segmentBits == 0 && shards == 1), "no segments, and more of them");
        image.check(segments == 0 || segmentBits >= FuseShape.LEAST_SEGMENT_BITS, "segments that are too short");
        // Slots of a shard are counted in an int when they are filled; and so this product is one of 64 bits.
        image.check(shape.slotCount() <= Integer.MAX_VALUE, shape.slotCount() + " slots of a shard cannot be");
        long slotCount = shape.slotCount() * shards;
        image.check(slotCount <= (Words.MAX_COUNT - 1) * Long.SIZE / width, slotCount + " slots cannot be");
        long count = image.get(COUNT, 0, slotCount);
        image.check((count == 0) == (slotCount == 0), count + " keys in " + slotCount + " slots");
        long[] attemptWords = image.get(ATTEMPTS);
        image.check(Words.count(attemptWords) == shards, "a number of functions that is not that of the shards");
        long[] attempts = Arrays.copyOfRange(attemptWords, Words.LEAD, attemptWords.length);
        image.check(
                Arrays.stream(attempts).allMatch(attempt -> attempt >= 0 && attempt < FuseBuilder.MOST_ATTEMPTS),
                "a function that no filter has");
        long[] words = image.get(SLOTS);
        image.check(Words.count(words) == PackedArray.wordCount(slotCount, width), "a wrong number of words");
        Scheme scheme = new Scheme(arity, width, image.get(SEED), shards, isMixed);
        PackedArray slots = new PackedArray(words, slotCount, width);
        return new FuseFilter(
                scheme, shape, PackedBytes.fits(slotCount, width) ? PackedBytes.of(slots) : slots, attempts, count);
    }
}
