package com.example.kinds;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import dev.besom.spi.SectionWords;
import java.util.Arrays;

/**
 * A static filter: the distinct fingerprints of all keys in ascending order, one a word. A fingerprint is a number below
 * keys / rate, so that a key which is not there meets one with the chance of the rate.
 */
final class SortedFingerprints implements PersistentFilter {

    static final ImageForm FORM = new ImageForm("example-sorted");
    private static final ImageForm.LongField RANGE = FORM.whole("range", "fingerprints are below this number");
    private static final ImageForm.LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final ImageForm.Section FINGERPRINTS = FORM.section("fingerprints", "distinct, ascending");

    private final long range;
    private final long seed;
    private final long[] fingerprints;

    private SortedFingerprints(long range, long seed, long[] fingerprints) {
        this.range = range;
        this.seed = seed;
        this.fingerprints = fingerprints;
    }

    static SortedFingerprints build(FilterSpec spec, HashSource hashes) {
        long range = Math.max(1, (long) Math.ceil(Math.max(1, hashes.count()) / spec.fpp()));
        long[] all = new long[Math.toIntExact(hashes.count())];
        int[] filled = {0};
        hashes.forEach(hash -> all[filled[0]++] = fingerprint(hash, spec.seed(), range));
        return new SortedFingerprints(
                range,
                spec.seed(),
                SectionWords.copyOf(Arrays.stream(all).sorted().distinct().toArray()));
    }

    static SortedFingerprints read(FilterImage image) {
        long range = image.get(RANGE, 1, Long.MAX_VALUE);
        long[] fingerprints = image.get(FINGERPRINTS);
        long last = -1;
        for (int i = SectionWords.FIRST; i < fingerprints.length; i++) {
            image.check(fingerprints[i] > last && fingerprints[i] < range, "its fingerprints are not in order");
            last = fingerprints[i];
        }
        return new SortedFingerprints(range, image.get(SEED), fingerprints);
    }

    private static long fingerprint(long hash, long seed, long range) {
        return Long.remainderUnsigned(Mix.expand(hash, seed, 0), range);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return Arrays.binarySearch(
                        fingerprints, SectionWords.FIRST, fingerprints.length, fingerprint(hash, seed, range))
                >= 0;
    }

    /** The keys whose fingerprints are distinct. */
    @Override
    public long count() {
        return SectionWords.count(fingerprints);
    }

    @Override
    public long sizeInBits() {
        return Long.SIZE * Math.max(1, count());
    }

    @Override
    public double expectedFpp() {
        return (double) count() / range;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(RANGE, range)
                .set(SEED, seed)
                .set(FINGERPRINTS, fingerprints)
                .image();
    }
}
