package dev.besom.bits;

/**
 * An array of unsigned numbers of one width, from 1 to 64 bits, with no gaps between them.
 *
 * <pre>
 *   width 5:   word 0                                    word 1
 *             | 0 | 1 | 2 | 3 | 4 | ... | 11 | low of 12 | high of 12 | 13 | ...
 * </pre>
 *
 * One word more than the numbers need ends the array, so that a read may always look at two words and needs no branch.
 */
public final class PackedArray implements PackedNumbers {

    private final long[] words;
    private final long length;
    private final int widthInBits;
    private final long mask;

    /** So many numbers, all 0. */
    public PackedArray(long length, int widthInBits) {
        this(Words.allocate(wordCount(length, widthInBits)), length, widthInBits);
    }

    /** Takes over an array made by {@link Words} of {@link #wordCount(long, int)} words. */
    public PackedArray(long[] words, long length, int widthInBits) {
        if (Words.count(words) != wordCount(length, widthInBits)) {
            throw new IllegalArgumentException(
                    Words.count(words) + " words do not hold " + length + " numbers of " + widthInBits + " bits");
        }
        this.words = words;
        this.length = length;
        this.widthInBits = widthInBits;
        this.mask = -1L >>> (Long.SIZE - widthInBits);
    }

    /**
     * Takes over an array of which nothing is known.
     *
     * @throws IllegalArgumentException if it has another length, or a bit behind the last number is set
     */
    public static PackedArray checked(long[] words, long length, int widthInBits) {
        PackedArray array = new PackedArray(words, length, widthInBits);
        long used = length * widthInBits;
        if (words[(int) (used >>> 6) + Words.LEAD] >>> used != 0 || words[words.length - 1] != 0) {
            throw new IllegalArgumentException("bits behind the last number are set");
        }
        return array;
    }

    /** How many words that many numbers take, the one at the end included. */
    public static long wordCount(long length, int widthInBits) {
        if (widthInBits < 1 || widthInBits > Long.SIZE) {
            throw new IllegalArgumentException("a packed number has from 1 to 64 bits, not " + widthInBits);
        }
        if (length < 0 || length > ((Words.MAX_COUNT - 1) << 6) / widthInBits) {
            throw new IllegalArgumentException("no array holds " + length + " numbers of " + widthInBits + " bits");
        }
        return Words.forBits(length * widthInBits) + 1;
    }

    @Override
    public long get(long index) {
        long bit = index * widthInBits;
        int at = (int) (bit >>> 6) + Words.LEAD;
        int shift = (int) bit & 63;
        long low = words[at] >>> shift;
        long high = words[at + 1] << 1 << (63 - shift);
        return (low | high) & mask;
    }

    /** The 64 bits that begin with a number: it and those after it, as far as they fit. */
    public long bitsFrom(long index) {
        long bit = index * widthInBits;
        int at = (int) (bit >>> 6) + Words.LEAD;
        int shift = (int) bit & 63;
        return words[at] >>> shift | words[at + 1] << 1 << (63 - shift);
    }

    /** The bits of a word from a number on: it and those after it in the same word. */
    public long alignedBitsFrom(long index) {
        long bit = index * widthInBits;
        return words[(int) (bit >>> 6) + Words.LEAD] >>> bit;
    }

    @Override
    public void set(long index, long value) {
        long bit = index * widthInBits;
        int at = (int) (bit >>> 6) + Words.LEAD;
        int shift = (int) bit & 63;
        long kept = value & mask;
        words[at] = (words[at] & ~(mask << shift)) | (kept << shift);
        if (shift + widthInBits > Long.SIZE) {
            int lowBits = Long.SIZE - shift;
            words[at + 1] = (words[at + 1] & ~(mask >>> lowBits)) | (kept >>> lowBits);
        }
    }

    /**
     * Adds to each number the one at its index in another array. A sum that does not fit becomes the highest number.
     *
     * @param other as many numbers of as many bits, fewer than 64
     */
    public void addSaturating(PackedArray other) {
        for (long index = 0; index < length; index++) {
            set(index, Math.min(mask, get(index) + other.get(index)));
        }
    }

    /** How many numbers there are. */
    public long length() {
        return length;
    }

    /** The bits of a number. */
    public int widthInBits() {
        return widthInBits;
    }

    /** The memory of the numbers and of the word that ends the array. */
    public long sizeInBits() {
        return (long) Words.count(words) << 6;
    }

    /** The array behind the numbers, lead-in included. */
    public long[] words() {
        return words;
    }
}
