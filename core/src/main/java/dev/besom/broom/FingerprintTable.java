package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.adaptive.Extensions;
import dev.besom.bits.FastRange;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Where fingerprints are kept, for small and for large remainders.
 *
 * <pre>
 *   hash * bins               =  bin . f                       a fraction of 2^64 each: the point is after 64 bits
 *   f * runs                  =  run . g
 *   g                         =  remainder, then what extensions are taken from
 * </pre>
 *
 * Each fingerprint is a prefix of its owner's hash, and the hashes that start with it are one contiguous range. An
 * <b>entry</b> is a fingerprint at its place: in its primary bin, or in the area that takes what primary bins cannot take.
 */
abstract sealed class FingerprintTable permits BroomTable, YardTable {

    final long binCount;
    final long runs;
    final int remainderBits;

    /** The words that extensions may take outside their bins. */
    final BinSpill.Budget budget;

    FingerprintTable(BroomShape shape) {
        this.budget = new BinSpill.Budget(shape.spillWords(), shape.mostSpillWords());
        this.binCount = shape.bins();
        this.runs = shape.runs();
        this.remainderBits = shape.remainderBits();
    }

    static FingerprintTable empty(BroomShape shape) {
        return shape.isLarge() ? new YardTable(shape) : new BroomTable(shape);
    }

    /** Takes over the sections of an image. */
    static FingerprintTable read(BroomShape shape, FilterImage image) {
        return shape.isLarge() ? YardTable.read(shape, image) : BroomTable.read(shape, image);
    }

    /** Sets the sections of an image. */
    abstract void write(ImageForm.Writer writer);

    final int bin(long hash) {
        return (int) FastRange.place(hash, binCount);
    }

    final int run(long hash) {
        return (int) FastRange.place(hash * binCount, runs);
    }

    /** The bits of a hash behind its quotient: the remainder, then what extensions are taken from. */
    final long fraction(long hash) {
        return hash * binCount * runs;
    }

    final long remainder(long hash) {
        return fraction(hash) >>> (Long.SIZE - remainderBits);
    }

    /** What extensions are taken from. */
    final long following(long hash) {
        return fraction(hash) << remainderBits;
    }

    final long quotient(int bin, int run) {
        return bin * runs + run;
    }

    /** The number of a hash's quotient. */
    final long quotient(long hash) {
        return quotient(bin(hash), run(hash));
    }

    /** Whether two hashes have one quotient and one remainder. */
    final boolean isAlike(long one, long another) {
        return quotient(one) == quotient(another) && remainder(one) == remainder(another);
    }

    /** The shortest extension that tells two hashes apart that look alike. */
    final int lengthBetween(long one, long another) {
        return Extensions.sharedBits(following(one), following(another)) + 1;
    }

    /** The smallest hash of a quotient, in unsigned order. */
    final long firstHash(long quotient) {
        return FastRange.start(quotient, binCount * runs);
    }

    /** The largest hash of a quotient, in unsigned order. */
    final long lastHash(long quotient) {
        return quotient == binCount * runs - 1 ? -1L : firstHash(quotient + 1) - 1;
    }

    /** How many quotients there are. */
    final long quotientCount() {
        return binCount * runs;
    }

    abstract boolean mightContain(long hash);

    /** The first word of a hash's bin: what is read to have the bin in the cache. */
    abstract long firstWord(long hash);

    /** Whether there is an entry with the quotient and the remainder of a hash. */
    abstract boolean hasLookAlike(long hash);

    /** Lists the look-alikes of a hash. */
    abstract void gather(long hash, LookAlikes found);

    /**
     * Makes sure that one more key fits.
     *
     * @throws FilterFullException if it does not
     */
    abstract void checkRoom(long hash);

    /** Puts a fingerprint in, without an extension. There must be {@link #checkRoom room}. */
    abstract Entry add(long hash);

    /** Takes a fingerprint out, and lets another one come back to where it made room. */
    abstract void remove(long hash, Entry entry, Arrivals arrivals);

    /** Who gives fingerprints their extensions that come to a bin without one. */
    @FunctionalInterface
    interface Arrivals {

        /**
         * A fingerprint has come to a bin.
         *
         * @param entry where it is, without an extension
         * @param hash of its owner
         * @param needed how long its extension has to be to tell it from others
         */
        void arrived(Entry.InBin entry, long hash, int needed);
    }

    /** Gives an entry an extension of its owner's hash; false, and no change, if there is no room for it. */
    final boolean extend(Entry entry, long owner, int length) {
        return length <= Extensions.MOST_LENGTH
                && entry instanceof Entry.InBin place
                && place.area().extend(place.bin(), place.slot(), Extensions.of(following(owner), length));
    }

    /** The shares of all fingerprints: see {@link Area#coverage()}. */
    abstract long covered();

    /** The part of all hashes that have a stored fingerprint as a prefix; look-alikes that agree count twice. */
    final double coverage() {
        return Math.min(1, Math.scalb((double) covered(), -Area.COVERAGE_BITS - remainderBits) / quotientCount());
    }

    /** The bits of all extensions. */
    abstract long extensionBits();

    /** How many extensions were given up by keys that moved to where there was no room for them. */
    abstract long lostExtensions();

    /** How many bins have extensions that do not fit into them. */
    abstract int spilledBins();

    /** How many keys are not in their primary bins. */
    abstract long overflowed();

    abstract long sizeInBits();

    /**
     * Checks the whole structure, and counts anew what is covered.
     *
     * @return how many keys there are
     * @throws IllegalStateException if it is damaged
     */
    abstract long check();
}
