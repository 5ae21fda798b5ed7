package dev.besom.distribution;

import dev.besom.math.DaisyMath;
import dev.besom.math.KeyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Learns a distribution from samples of the keys that will be put in and of the keys that will be asked for, in memory
 * that does not grow with the samples.
 *
 * <pre>
 *   sample --3 of 4--&gt; Count-Min sketch and heavy hitters: who comes often
 *          --1 of 4--&gt; a reservoir, held out: what part of the stream each class of hashes really is
 * </pre>
 *
 * Counts of a sample flatter those who happened to be in it. So they only sort hashes into classes, and how often the keys
 * of a class come is taken from the part of the sample that was held out; accidents of the sketch are paid for there too.
 *
 * <p>A distribution is saved with the filter and counts as its memory. {@link #learn} therefore tries sketches of all
 * sizes, from none at all to the one it counted with, and keeps the one with which sketch and filter together are
 * smallest. If knowing the distribution does not pay, what is left is the uniform one.
 *
 * <p>Keys that came once in the sample of inserts are not told from those that did not: where each key is put in once, a
 * sample says nothing of the others.
 *
 * <p>Cost: three cells a hash to learn; 1.5 MB a stream for rows of 2^17 cells.
 */
public final class DistributionLearner {

    private static final int DEFAULT_BITS = 17;
    private static final int MOST_HEAVY = 256;
    private static final int MOST_HELD_OUT = 1 << 15;
    private static final int HELD_OUT_OF = 4;

    /** Fewer repetitions than this a sketch can tell as well. */
    private static final int LEAST_HEAVY_COUNT = 8;

    private static final int MOST_BASE = 1 << 10;

    /** Of what is held out, so many are enough to compare sketches; the final shares are taken from all. */
    private static final int COMPARED = 1 << 12;

    private final Stream keys;
    private final Stream queries;

    public DistributionLearner() {
        this(DEFAULT_BITS);
    }

    /** @param rowBits the logarithm of how many cells a row of a sketch has; 5 to 24 */
    public DistributionLearner(int rowBits) {
        if (rowBits < LevelSketch.LEAST_BITS || rowBits > LevelSketch.MOST_BITS) {
            throw new IllegalArgumentException("rows have from 2^5 to 2^24 cells, not 2^" + rowBits);
        }
        keys = new Stream(rowBits, 1);
        queries = new Stream(rowBits, 2);
    }

    /** Takes notice of a key that was put in. */
    public void addKey(long hash) {
        keys.add(hash);
    }

    /** Takes notice of a key that was asked for. */
    public void addQuery(long hash) {
        queries.add(hash);
    }

    public long keyCount() {
        return keys.seen;
    }

    public long queryCount() {
        return queries.seen;
    }

    /** The distribution with which a filter for n keys at that rate is smallest, its own size included. */
    public Distribution learn(double n, double fpp) {
        Choice best = new Choice(0, 1, 0, 1, false);
        double bestSize = size(best, n, fpp);
        // One thing after the other: questions first, which tell most; then inserts; then single hashes.
        for (int part = 0; part < 3; part++) {
            for (Choice candidate : candidates(best, part)) {
                double size = size(candidate, n, fpp);
                if (size < bestSize) {
                    best = candidate;
                    bestSize = size;
                }
            }
        }
        return distribution(best, MOST_HELD_OUT);
    }

    private List<Choice> candidates(Choice from, int part) {
        List<Choice> candidates = new ArrayList<>();
        if (part == 2) {
            candidates.add(new Choice(from.keyBits, from.keyBase, from.queryBits, from.queryBase, true));
            return candidates;
        }
        for (int bits = LevelSketch.LEAST_BITS; bits <= keys.counts.bits(); bits++) {
            for (int base = part == 0 ? 1 : 2; base <= MOST_BASE; base *= 2) {
                candidates.add(
                        part == 0
                                ? new Choice(from.keyBits, from.keyBase, bits, base, from.heavy)
                                : new Choice(bits, base, from.queryBits, from.queryBase, from.heavy));
            }
        }
        return candidates;
    }

    private double size(Choice choice, double n, double fpp) {
        Distribution candidate = distribution(choice, COMPARED);
        return candidate.sizeInBits() + Math.max(Long.SIZE, DaisyMath.bits(candidate.classes(), n, fpp));
    }

    /** What a distribution keeps of the counts. */
    private record Choice(int keyBits, int keyBase, int queryBits, int queryBase, boolean heavy) {}

    private Distribution distribution(Choice choice, int held) {
        boolean isPlain = choice.keyBits == 0 && choice.queryBits == 0 && !choice.heavy;
        if (isPlain || keys.seen == 0 || queries.seen == 0) {
            return Distribution.uniform(Distribution.WHOLE_UNIVERSE);
        }
        List<KeyClass> classes = new ArrayList<>();
        for (int keyLevel = 0; keyLevel < LevelSketch.LEVELS; keyLevel++) {
            for (int queryLevel = 0; queryLevel < LevelSketch.LEVELS; queryLevel++) {
                double p = keyLevel == 0 ? 0 : keys.probability(countOf(keyLevel, choice.keyBase));
                classes.add(new KeyClass(p, 0, 0, 0));
            }
        }
        LevelSketch sketch = choice.keyBits == 0 && choice.queryBits == 0
                ? null
                : CountMin.frozen(
                        keys.counts,
                        choice.keyBits,
                        choice.keyBase,
                        queries.counts,
                        choice.queryBits,
                        choice.queryBase);
        ClassTable table = choice.heavy ? heavyTable(classes) : null;
        return withShares(Distribution.frozen(classes, 0, table, sketch), held);
    }

    /** A count in the middle of a level. */
    private static double countOf(int level, int base) {
        return 1.5 * base * (1 << (level - 1));
    }

    /** A table of the heavy hitters; those with counts of one octave share a class, which is added to the classes. */
    private @Nullable ClassTable heavyTable(List<KeyClass> classes) {
        Map<Long, Integer> heavy = new TreeMap<>();
        for (Stream stream : List.of(keys, queries)) {
            for (int place = 0; place < stream.heavy.size(); place++) {
                if (stream.heavy.countAt(place) >= LEAST_HEAVY_COUNT) {
                    heavy.put(stream.heavy.hash(place), 0);
                }
            }
        }
        Map<Integer, Integer> classOfOctaves = new TreeMap<>();
        for (Map.Entry<Long, Integer> entry : heavy.entrySet()) {
            int keyCount = keys.heavy.count(entry.getKey());
            int octaves = octave(keyCount) << 8 | octave(queries.heavy.count(entry.getKey()));
            Integer known = classOfOctaves.get(octaves);
            if (known == null) {
                known = classes.size();
                classOfOctaves.put(octaves, known);
                classes.add(new KeyClass(keyCount == 0 ? 0 : keys.probability(keyCount), 0, 0, 0));
            }
            entry.setValue(known);
        }
        if (heavy.isEmpty()) {
            return null;
        }
        return new ClassTable(
                heavy.keySet().stream().mapToLong(Long::longValue).toArray(),
                heavy.values().stream().mapToInt(Integer::intValue).toArray());
    }

    private static int octave(int count) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(count);
    }

    /**
     * The same classes with their shares of what was held out, none of them quite 0. Where p is not known from
     * repetitions, p and q get the ratio of the shares, which is theirs exactly, in a universe so large that nothing else
     * of them matters.
     */
    private Distribution withShares(Distribution sorted, int held) {
        double[] inserts = keys.shares(sorted, held);
        double[] asked = queries.shares(sorted, held);
        List<KeyClass> classes = new ArrayList<>();
        for (int i = 0; i < inserts.length; i++) {
            double known = sorted.classes().get(i).insertProbability();
            double p = known > 0 ? known : inserts[i] / Distribution.WHOLE_UNIVERSE;
            double q = Math.min(1, p * (asked[i] / inserts[i]));
            classes.add(new KeyClass(p, q, inserts[i], asked[i]));
        }
        return Distribution.frozen(classes, sorted.restClass(), sorted.table(), sorted.sketch());
    }

    /** One of the two samples. */
    private static final class Stream {

        final CountMin counts;
        final HeavyHitters heavy = new HeavyHitters(MOST_HEAVY);
        final Reservoir heldOut;
        long seen;

        Stream(int bits, long seed) {
            counts = new CountMin(bits);
            heldOut = new Reservoir(MOST_HELD_OUT, seed);
        }

        void add(long hash) {
            if (seen++ % HELD_OUT_OF == 0) {
                heldOut.add(hash);
            } else {
                heavy.offer(hash, counts.add(hash));
            }
        }

        double probability(double count) {
            return Math.min(1, count / (seen - seen / HELD_OUT_OF));
        }

        double[] shares(Distribution sorted, int held) {
            double[] shares = new double[sorted.classCount()];
            // Together the classes that nothing was held out of count as much as one hash.
            double sum = 1;
            int size = Math.min(held, heldOut.size());
            for (int i = 0; i < size; i++) {
                shares[sorted.classOf(heldOut.hash(i))]++;
                sum++;
            }
            for (int i = 0; i < shares.length; i++) {
                shares[i] = (shares[i] + 1.0 / shares.length) / sum;
            }
            return shares;
        }
    }
}
