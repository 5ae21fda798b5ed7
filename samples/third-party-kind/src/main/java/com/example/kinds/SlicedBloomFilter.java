package com.example.kinds;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import dev.besom.spi.SectionWords;

/**
 * A Bloom filter in slices: a key sets one bit in each, and the rate is the product of the slices' fills.
 *
 * <pre>
 *   slice 0                slice 1                ...
 *   | 64-bit words         | 64-bit words         |
 * </pre>
 */
final class SlicedBloomFilter implements InsertableFilter, PersistentFilter {

    static final ImageForm FORM = new ImageForm("example-sliced");
    private static final ImageForm.LongField SLICES = FORM.whole("slices", "slices of bits");
    private static final ImageForm.LongField SEED = FORM.whole("seed", "seed of the hash functions");
    private static final ImageForm.LongField COUNT = FORM.whole("count", "keys that changed something");
    private static final ImageForm.Section BITS = FORM.section("bits", "the slices, one after the other");

    private static final int MOST_SLICES = 62;

    private final int slices;
    private final long seed;
    private final long wordsPerSlice;
    private final long[] words;
    private long count;

    private SlicedBloomFilter(int slices, long seed, long[] words, long count) {
        this.slices = slices;
        this.seed = seed;
        this.words = words;
        this.wordsPerSlice = SectionWords.count(words) / slices;
        this.count = count;
    }

    static SlicedBloomFilter make(FilterSpec spec) {
        long wanted = (long) Math.ceil(-Math.log(spec.fpp()) / Math.log(2));
        int slices = (int) spec.option("slices", Math.min(MOST_SLICES, wanted), 1L, MOST_SLICES);
        long bitsPerSlice = (long) Math.ceil(spec.capacity() / Math.log(2));
        long wordsPerSlice = (bitsPerSlice + Long.SIZE - 1) / Long.SIZE;
        return new SlicedBloomFilter(slices, spec.seed(), SectionWords.allocate(slices * wordsPerSlice), 0);
    }

    static SlicedBloomFilter read(FilterImage image) {
        int slices = (int) image.get(SLICES, 1, MOST_SLICES);
        long[] words = image.get(BITS);
        int wordCount = SectionWords.count(words);
        image.check(wordCount > 0 && wordCount % slices == 0, "its slices are not of one size");
        return new SlicedBloomFilter(slices, image.get(SEED), words, image.get(COUNT, 0, Long.MAX_VALUE));
    }

    @Override
    public boolean mightContainHash(long hash) {
        for (int slice = 0; slice < slices; slice++) {
            long bit = bitOf(hash, slice);
            if ((words[indexOf(bit)] >>> bit & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = false;
        for (int slice = 0; slice < slices; slice++) {
            long bit = bitOf(hash, slice);
            int index = indexOf(bit);
            isNew |= (words[index] >>> bit & 1) == 0;
            words[index] |= 1L << bit;
        }
        count += isNew ? 1 : 0;
        return isNew;
    }

    private long bitOf(long hash, int slice) {
        long bitsPerSlice = Long.SIZE * wordsPerSlice;
        return slice * bitsPerSlice + Long.remainderUnsigned(Mix.expand(hash, seed, slice), bitsPerSlice);
    }

    private static int indexOf(long bit) {
        return SectionWords.FIRST + (int) (bit / Long.SIZE);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return Long.SIZE * wordsPerSlice * slices;
    }

    @Override
    public double expectedFpp() {
        double rate = 1;
        for (int slice = 0; slice < slices; slice++) {
            long set = 0;
            for (long word = slice * wordsPerSlice; word < (slice + 1) * wordsPerSlice; word++) {
                set += Long.bitCount(words[SectionWords.FIRST + (int) word]);
            }
            rate *= (double) set / (Long.SIZE * wordsPerSlice);
        }
        return rate;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(SLICES, slices)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(BITS, words)
                .image();
    }
}
