package dev.besom.bloomier;

import dev.besom.FilterSpec;
import dev.besom.LongApproximateMap;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.BloomKinds;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One bit for each key, by pairs of Bloom filters.
 *
 * <pre>
 *   level 0   | zeros: keys with 0          | ones: keys with 1          |
 *   level 1   | those that ones of level 0  | those that zeros of level  |
 *             | wrongly claims too          | 0 wrongly claims too       |
 *   ...
 *   the rest  | a few keys with their bits, sorted |
 * </pre>
 *
 * Where one filter of a level claims a key, that is its bit; where none does, the key is absent; where both do, the next level
 * tells. A key that is there is never told wrong: it is in its own filter of each level up to the first at which the other
 * filter does not claim it.
 *
 * <p>Nothing can be put in later: a new key can make a filter claim an older one of the other sort, which then would have to
 * be on the next level, and nobody knows which ones these are.
 */
final class BloomPairs {

    /** So few keys are kept whole. */
    private static final int FEW = 16;

    private static final int MOST_LEVELS = 64;

    private static final Kind BLOOM = BloomKinds.all().stream()
            .filter(kind -> kind.type() == BloomFilter.class)
            .findFirst()
            .orElseThrow();

    /** The part of an image that the keys which are kept whole are, with the number of levels before it. */
    static final ImageForm FORM = new ImageForm("bloom-pairs");

    private static final LongField LEVELS = FORM.whole("levels", "pairs of filters, which follow");
    private static final Section REST = FORM.section("rest", "hashes of the keys that no level tells, ascending");
    private static final Section REST_BITS = FORM.section("restBits", "their bits, lowest first");

    private final List<BloomFilter> zeros = new ArrayList<>();
    private final List<BloomFilter> ones = new ArrayList<>();
    private long[] rest = {};
    private long[] restBits = {};

    private BloomPairs() {}

    /**
     * Builds the pairs of one bit of all values.
     *
     * @param fpp of each filter
     * @param bit of the values, from 0 on
     */
    static BloomPairs build(Entries entries, int bit, double fpp, long seed) {
        BloomPairs pairs = new BloomPairs();
        long[] zeroHashes = select(entries, bit, 0);
        long[] oneHashes = select(entries, bit, 1);
        for (int level = 0; zeroHashes.length + oneHashes.length > FEW && level < MOST_LEVELS; level++) {
            BloomFilter zero = filled(zeroHashes, fpp, Mix.expand(seed, bit, 2L * level));
            BloomFilter one = filled(oneHashes, fpp, Mix.expand(seed, bit, 2L * level + 1));
            pairs.zeros.add(zero);
            pairs.ones.add(one);
            zeroHashes = Arrays.stream(zeroHashes).filter(one::mightContainHash).toArray();
            oneHashes = Arrays.stream(oneHashes).filter(zero::mightContainHash).toArray();
        }
        pairs.keepWhole(zeroHashes, oneHashes);
        return pairs;
    }

    private static long[] select(Entries entries, int bit, long wanted) {
        long[] selected = new long[entries.count()];
        int count = 0;
        for (int i = 0; i < entries.count(); i++) {
            if ((entries.value(i) >>> bit & 1) == wanted) {
                selected[count++] = entries.hashes()[i];
            }
        }
        return Arrays.copyOf(selected, count);
    }

    private static BloomFilter filled(long[] hashes, double fpp, long seed) {
        FilterSpec spec = FilterSpec.of(Math.max(1, hashes.length), fpp).withSeed(seed);
        BloomFilter filter = (BloomFilter) BLOOM.make(spec, StoredHashes.none());
        filter.insertHashes(hashes, 0, hashes.length);
        return filter;
    }

    private void keepWhole(long[] zeroHashes, long[] oneHashes) {
        rest = Arrays.copyOf(zeroHashes, zeroHashes.length + oneHashes.length);
        System.arraycopy(oneHashes, 0, rest, zeroHashes.length, oneHashes.length);
        Arrays.sort(rest);
        restBits = new long[(int) Words.forBits(rest.length)];
        for (long hash : oneHashes) {
            int index = Arrays.binarySearch(rest, hash);
            restBits[index >>> 6] |= 1L << index;
        }
    }

    /** The bit of a hash, or {@link LongApproximateMap#ABSENT}. */
    long bitOfHash(long hash) {
        for (int level = 0; level < zeros.size(); level++) {
            boolean isZero = zeros.get(level).mightContainHash(hash);
            boolean isOne = ones.get(level).mightContainHash(hash);
            if (isZero != isOne) {
                return isOne ? 1 : 0;
            }
            if (!isZero) {
                return LongApproximateMap.ABSENT;
            }
        }
        int index = Arrays.binarySearch(rest, hash);
        return index < 0 ? LongApproximateMap.ABSENT : restBits[index >>> 6] >>> index & 1;
    }

    int levels() {
        return zeros.size();
    }

    /** The chance that a hash which was never put in gets a bit. */
    double expectedFpp() {
        double rate = 0;
        for (int level = zeros.size() - 1; level >= 0; level--) {
            double zero = zeros.get(level).expectedFpp();
            double one = ones.get(level).expectedFpp();
            rate = zero * (1 - one) + one * (1 - zero) + zero * one * rate;
        }
        return rate;
    }

    long sizeInBits() {
        long bits = (long) (rest.length + restBits.length) << 6;
        for (int level = 0; level < zeros.size(); level++) {
            bits += sizeOfLevelInBits(level);
        }
        return bits;
    }

    long sizeOfLevelInBits(int level) {
        return zeros.get(level).sizeInBits() + ones.get(level).sizeInBits();
    }

    /** The images of the parts: what is kept whole, then the filters. */
    List<FilterImage> images() {
        List<FilterImage> images = new ArrayList<>();
        images.add(FORM.write()
                .set(LEVELS, zeros.size())
                .set(REST, section(rest))
                .set(REST_BITS, section(restBits))
                .image());
        for (int level = 0; level < zeros.size(); level++) {
            images.add(zeros.get(level).image());
            images.add(ones.get(level).image());
        }
        return images;
    }

    private static long[] section(long[] words) {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        return section;
    }

    /**
     * Reads the next parts of an image.
     *
     * @throws MalformedFilterException if they are no pairs
     */
    static BloomPairs read(FilterImage.Parts parts) {
        FilterImage image = parts.next(FORM);
        BloomPairs pairs = new BloomPairs();
        long levels = image.get(LEVELS, 0, MOST_LEVELS);
        pairs.rest = Arrays.copyOfRange(image.get(REST), Words.LEAD, image.get(REST).length);
        pairs.restBits = Arrays.copyOfRange(image.get(REST_BITS), Words.LEAD, image.get(REST_BITS).length);
        image.check(pairs.restBits.length == Words.forBits(pairs.rest.length), "a wrong number of bits");
        for (int i = 1; i < pairs.rest.length; i++) {
            image.check(pairs.rest[i - 1] < pairs.rest[i], "hashes that are not in order");
        }
        int last = pairs.rest.length & 63;
        image.check(last == 0 || pairs.restBits[pairs.restBits.length - 1] >>> last == 0, "bits of no hash");
        for (int level = 0; level < levels; level++) {
            pairs.zeros.add((BloomFilter) BLOOM.read(parts.next(BLOOM.form()), StoredHashes.none()));
            pairs.ones.add((BloomFilter) BLOOM.read(parts.next(BLOOM.form()), StoredHashes.none()));
        }
        return pairs;
    }
}
