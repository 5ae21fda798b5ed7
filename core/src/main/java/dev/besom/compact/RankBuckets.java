package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.bits.BitVector;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.compact.RankIndexedMath.Sizes;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Where the bits of rank-indexed buckets lie; what they mean is not known here. A bucket has an index and fingerprints,
 * both in up to three pieces:
 *
 * <pre>
 *                   own              first extension   second extension
 *   index         | 64 + own bits  | first bits      | second bits     |
 *   fingerprints  | own            | first           | second          |
 *
 *   in words      | index of bucket 0, its two extension numbers | index of bucket 1, ...
 * </pre>
 *
 * Extensions belong to groups of buckets. Number 0 stands for none.
 */
final class RankBuckets {

    /** A word more than the longest index, for reads across words. */
    static final int INDEX_WORDS = (RankIndexedMath.CHAINS + RankIndexedMath.MOST_KEYS) / Long.SIZE + 1;

    private static final int CHAINS = RankIndexedMath.CHAINS;

    final Sizes sizes;
    final int bucketCount;
    private final long[] index;
    private final PackedArray own;
    private final Pool first;
    private final Pool second;
    private final int indexBits;
    private final int ownIndexBits;

    /** Empty buckets. */
    RankBuckets(Sizes sizes, int bucketCount) {
        this(
                sizes,
                bucketCount,
                Words.allocate(indexWords(sizes, bucketCount)),
                new PackedArray((long) bucketCount * sizes.own(), sizes.fingerprintBits()),
                Pool.allocate(firstShape(sizes, bucketCount)),
                Pool.allocate(secondShape(sizes, bucketCount)));
    }

    /**
     * The buckets of an image.
     *
     * @throws IllegalArgumentException if a section has a wrong length
     * @throws IllegalStateException if two buckets have the same extension
     */
    static RankBuckets read(Sizes sizes, int bucketCount, FilterImage image, Sections sections) {
        long[] index = image.get(sections.index);
        if (Words.count(index) != indexWords(sizes, bucketCount)) {
            throw new IllegalArgumentException("its index has a wrong length");
        }
        RankBuckets buckets = new RankBuckets(
                sizes,
                bucketCount,
                index,
                new PackedArray(image.get(sections.own), (long) bucketCount * sizes.own(), sizes.fingerprintBits()),
                Pool.read(firstShape(sizes, bucketCount), image.get(sections.firstIndex), image.get(sections.first)),
                Pool.read(
                        secondShape(sizes, bucketCount), image.get(sections.secondIndex), image.get(sections.second)));
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            buckets.noteExtensions(bucket);
        }
        return buckets;
    }

    private static PoolShape firstShape(Sizes sizes, int bucketCount) {
        return PoolShape.of(sizes.shared().first(), sizes, bucketCount);
    }

    private static PoolShape secondShape(Sizes sizes, int bucketCount) {
        return PoolShape.of(sizes.shared().second(), sizes, bucketCount);
    }

    private RankBuckets(Sizes sizes, int bucketCount, long[] index, PackedArray own, Pool first, Pool second) {
        this.sizes = sizes;
        this.bucketCount = bucketCount;
        this.index = index;
        this.own = own;
        this.first = first;
        this.second = second;
        this.indexBits = sizes.indexBits();
        this.ownIndexBits = CHAINS + sizes.own();
    }

    /** The words of the index of so many buckets. */
    static long indexWords(Sizes sizes, long bucketCount) {
        return Words.forBits(bucketCount * sizes.indexBits()) + 1;
    }

    private long at(int bucket) {
        return (long) bucket * indexBits + (Words.LEAD << 6);
    }

    /** Whether a bit of a bucket's index is set; those that it does not have are not. */
    boolean isSet(int bucket, int bit) {
        if (bit < ownIndexBits) {
            long at = at(bucket) + bit;
            return (index[(int) (at >>> 6)] >>> at & 1) != 0;
        }
        return (readIndex(bucket, bit) & 1) != 0;
    }

    /** How many bits of a bucket's index before this one are set. */
    int rank(int bucket, int bit) {
        int set = 0;
        int from = 0;
        while (bit - from >= Long.SIZE) {
            set += Long.bitCount(readIndex(bucket, from));
            from += Long.SIZE;
        }
        // What is read beyond the own index is not counted where the bit is in it.
        long last = bit < ownIndexBits ? ChainBlock.read(index, at(bucket) + from) : readIndex(bucket, from);
        return set + Long.bitCount(last & ChainBlock.lowest(bit - from));
    }

    /** How many fingerprints a bucket has: as many as its index has bits set. */
    int keys(int bucket) {
        return rank(bucket, firstNumber(bucket) == 0 ? ownIndexBits : CHAINS + RankIndexedMath.MOST_KEYS);
    }

    /** 64 bits of a bucket's index from a place on; 0 for those that it does not have. */
    long readIndex(int bucket, int from) {
        long at = at(bucket);
        if (from + Long.SIZE <= ownIndexBits) {
            return ChainBlock.read(index, at + from);
        }
        long bits = piece(index, at, 0, ownIndexBits, from);
        int inFirst = firstNumber(bucket);
        if (inFirst != 0) {
            bits |= piece(first.index, first.indexAt(bucket, inFirst), ownIndexBits, first.length, from);
            int inSecond = secondNumber(bucket);
            if (inSecond != 0) {
                int start = ownIndexBits + first.length;
                bits |= piece(second.index, second.indexAt(bucket, inSecond), start, second.length, from);
            }
        }
        return bits;
    }

    /** What one who reads 64 bits from {@code from} on sees of a piece that starts at {@code start}. */
    private static long piece(long[] words, long at, int start, int length, int from) {
        int skipped = from - start;
        if (skipped >= length || skipped <= -Long.SIZE) {
            return 0;
        }
        long bits = ChainBlock.read(words, at + Math.max(0, skipped));
        int left = length - Math.max(0, skipped);
        if (left < Long.SIZE) {
            bits &= ChainBlock.lowest(left);
        }
        return bits << Math.max(0, -skipped);
    }

    /** Copies a bucket's index. */
    void loadIndex(int bucket, long[] target) {
        for (int word = 0; word < INDEX_WORDS - 1; word++) {
            target[word] = readIndex(bucket, word * Long.SIZE);
        }
        target[INDEX_WORDS - 1] = 0;
    }

    /** Copies a bucket's index back, as far as the bucket has room for it. */
    void storeIndex(int bucket, long[] source) {
        write(index, at(bucket), source, 0, ownIndexBits);
        int inFirst = firstNumber(bucket);
        if (inFirst != 0) {
            write(first.index, first.indexAt(bucket, inFirst), source, ownIndexBits, first.length);
        }
        int inSecond = secondNumber(bucket);
        if (inSecond != 0) {
            int start = ownIndexBits + first.length;
            write(second.index, second.indexAt(bucket, inSecond), source, start, second.length);
        }
    }

    private static void write(long[] words, long at, long[] source, int from, int length) {
        for (int done = 0; done < length; done += Long.SIZE - 1) {
            int count = Math.min(Long.SIZE - 1, length - done);
            long mask = ChainBlock.lowest(count);
            long bits = ChainBlock.read(source, from + done) & mask;
            long to = at + done;
            int word = (int) (to >>> 6);
            words[word] = (words[word] & ~(mask << to)) | (bits << to);
            words[word + 1] = (words[word + 1] & ~(mask >>> 1 >>> ~to)) | (bits >>> 1 >>> ~to);
        }
    }

    int fingerprint(int bucket, int place) {
        if (place < sizes.own()) {
            return (int) own.get((long) bucket * sizes.own() + place);
        }
        int beyond = place - sizes.own();
        return beyond < first.length
                ? (int) first.fingerprints.get(first.fingerprintAt(bucket, firstNumber(bucket)) + beyond)
                : (int) second.fingerprints.get(
                        second.fingerprintAt(bucket, secondNumber(bucket)) + beyond - first.length);
    }

    void setFingerprint(int bucket, int place, int fingerprint) {
        int beyond = place - sizes.own();
        if (beyond < 0) {
            own.set((long) bucket * sizes.own() + place, fingerprint);
        } else if (beyond < first.length) {
            first.fingerprints.set(first.fingerprintAt(bucket, firstNumber(bucket)) + beyond, fingerprint);
        } else {
            second.fingerprints.set(
                    second.fingerprintAt(bucket, secondNumber(bucket)) + beyond - first.length, fingerprint);
        }
    }

    /**
     * Makes sure that a bucket with that many fingerprints has room for one more.
     *
     * @throws FilterFullException if its group has no extension left
     */
    void makeRoom(int bucket, int fingerprints) {
        if (fingerprints >= sizes.most()) {
            throw new FilterFullException("a bucket has " + fingerprints + " fingerprints and can have no more");
        }
        if (fingerprints == sizes.own()) {
            setFirstNumber(bucket, first.borrow(bucket));
        } else if (fingerprints == sizes.own() + first.length) {
            setSecondNumber(bucket, second.borrow(bucket));
        }
    }

    /** Gives back the extension that a bucket with that many fingerprints does not need. */
    void giveRoomBack(int bucket, int fingerprints) {
        if (fingerprints == sizes.own()) {
            first.giveBack(bucket, firstNumber(bucket));
            setFirstNumber(bucket, 0);
        } else if (fingerprints == sizes.own() + first.length) {
            second.giveBack(bucket, secondNumber(bucket));
            setSecondNumber(bucket, 0);
        }
    }

    private int firstNumber(int bucket) {
        return number(at(bucket) + ownIndexBits, first.numberBits);
    }

    private int secondNumber(int bucket) {
        return number(at(bucket) + ownIndexBits + first.numberBits, second.numberBits);
    }

    /** The number at a bit of the index; one of no bits may be behind all that can be read. */
    private int number(long at, int bits) {
        return bits == 0 ? 0 : (int) (ChainBlock.read(index, at) & ChainBlock.lowest(bits));
    }

    private void setFirstNumber(int bucket, int number) {
        write(index, at(bucket) + ownIndexBits, new long[] {number, 0}, 0, first.numberBits);
    }

    private void setSecondNumber(int bucket, int number) {
        write(index, at(bucket) + ownIndexBits + first.numberBits, new long[] {number, 0}, 0, second.numberBits);
    }

    long sizeInBits() {
        return ((long) Words.count(index) << 6) + own.sizeInBits() + first.sizeInBits() + second.sizeInBits();
    }

    void write(ImageForm.Writer writer, Sections sections) {
        writer.set(sections.index, index)
                .set(sections.own, own.words())
                .set(sections.firstIndex, first.index)
                .set(sections.first, first.fingerprints.words())
                .set(sections.secondIndex, second.index)
                .set(sections.second, second.fingerprints.words());
    }

    /** The sections of an image that hold the buckets. */
    static final class Sections {

        final ImageForm.Section index;
        final ImageForm.Section own;
        final ImageForm.Section firstIndex;
        final ImageForm.Section first;
        final ImageForm.Section secondIndex;
        final ImageForm.Section second;

        Sections(ImageForm form) {
            index = form.section("index", "own index and extension numbers of each bucket, and 64 unused bits");
            own = form.section("fingerprints", "packed array of the buckets' own fingerprints");
            firstIndex = form.section("firstIndex", "index bits of the first extensions, and 64 unused bits");
            first = form.section("firstFingerprints", "packed array of the first extensions' fingerprints");
            secondIndex = form.section("secondIndex", "index bits of the second extensions, and 64 unused bits");
            second = form.section("secondFingerprints", "packed array of the second extensions' fingerprints");
        }
    }

    /** Notes whether a bucket read from an image has an extension; each number may be noted once. */
    private void noteExtensions(int bucket) {
        first.note(bucket, firstNumber(bucket));
        second.note(bucket, secondNumber(bucket));
    }

    boolean hasExactlyTheExtensionsFor(int bucket, int fingerprints) {
        return firstNumber(bucket) != 0 == fingerprints > sizes.own()
                && secondNumber(bucket) != 0 == fingerprints > sizes.own() + first.length;
    }

    boolean isCleanBehindTheEnd() {
        long end = at(bucketCount);
        return index[(int) (end >>> 6)] >>> end == 0 && index[index.length - 1] == 0;
    }

    /**
     * How large a pool of extensions is.
     *
     * @param perGroup extensions of each group
     * @param length fingerprints of an extension
     * @param group buckets of a group
     * @param groups number of groups
     * @param fingerprintBits bits of a fingerprint
     */
    private record PoolShape(int perGroup, int length, int group, int groups, int fingerprintBits) {

        static PoolShape of(RankIndexedMath.Pool pool, Sizes sizes, int bucketCount) {
            int group = sizes.shared().group();
            int groups = (int) (((long) bucketCount + group - 1) / group);
            return new PoolShape(pool.count(), pool.length(), group, groups, sizes.fingerprintBits());
        }

        long extensions() {
            return (long) groups * perGroup;
        }

        long indexWords() {
            return Words.forBits(extensions() * length) + 1;
        }
    }

    /** Extensions of one length. */
    private static final class Pool {

        final long[] index;
        final PackedArray fingerprints;
        final int length;
        final int numberBits;
        private final int size;
        private final int group;

        /** Which extensions are taken; follows from the buckets, so files do not hold it. */
        private final BitVector taken;

        static Pool allocate(PoolShape shape) {
            return new Pool(
                    shape,
                    Words.allocate(shape.indexWords()),
                    new PackedArray(shape.extensions() * shape.length, shape.fingerprintBits));
        }

        static Pool read(PoolShape shape, long[] index, long[] fingerprints) {
            if (Words.count(index) != shape.indexWords()) {
                throw new IllegalArgumentException("an index of extensions has a wrong length");
            }
            return new Pool(
                    shape,
                    index,
                    new PackedArray(fingerprints, shape.extensions() * shape.length, shape.fingerprintBits));
        }

        private Pool(PoolShape shape, long[] index, PackedArray fingerprints) {
            this.size = shape.perGroup;
            this.length = shape.length;
            this.group = shape.group;
            this.index = index;
            this.fingerprints = fingerprints;
            this.numberBits = RankIndexedMath.pointerBits(size);
            this.taken = new BitVector(shape.extensions());
        }

        private long extension(int bucket, int number) {
            return (long) (bucket / group) * size + number - 1;
        }

        long indexAt(int bucket, int number) {
            return extension(bucket, number) * length + (Words.LEAD << 6);
        }

        long fingerprintAt(int bucket, int number) {
            return extension(bucket, number) * length;
        }

        int borrow(int bucket) {
            for (int number = 1; number <= size; number++) {
                if (taken.set(extension(bucket, number))) {
                    return number;
                }
            }
            throw new FilterFullException("all " + size + " extensions of a group of buckets are taken");
        }

        void giveBack(int bucket, int number) {
            taken.clear(extension(bucket, number));
        }

        void note(int bucket, int number) {
            if (number > size || (number != 0 && !taken.set(extension(bucket, number)))) {
                throw new IllegalStateException("bucket " + bucket + " has an extension that is not its own");
            }
        }

        long sizeInBits() {
            return ((long) Words.count(index) << 6) + fingerprints.sizeInBits() + taken.sizeInBits();
        }
    }
}
