package dev.besom.distribution;

import dev.besom.MembershipFilter;
import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Learns a distribution from samples of the keys that will be inserted and of the queries that will be misses, in memory
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
 * <p>p and q of a class have the ratio of its shares, which is exactly theirs, in a universe so large that nothing else of
 * them matters: how likely one key is stored cannot be had from a sketch in which keys meet. So the paper's two regions of
 * keys that are likely stored are left alone, and with them its condition; keys that come often and are seldom queried
 * get few bits or none by the ratio.
 *
 * <p>From fewer than {@value #LEAST_SAMPLE} keys or misses nothing is learned: shares of a few hundred of them would be off
 * by so much that the rate is missed.
 *
 * <p>Hits are never false positives, so the queries of the distribution are the misses, and its rate is the rate over
 * misses. A hit taken for a miss makes a stored key look as if it were often queried in vain: the rate of real misses
 * is missed by several times.
 *
 * <p>Keys that came once in the sample of inserts are not told from those that did not: where each key is put in once, a
 * sample says nothing of the others.
 *
 * <p>Cost: three cells a hash to learn; 1.5 MB a stream for rows of 2^17 cells.
 */
public final class DistributionLearner {

    /** A smaller sample tells nothing. */
    public static final int LEAST_SAMPLE = 1 << 10;

    private static final int DEFAULT_BITS = 17;
    private static final int MOST_HEAVY = 256;
    private static final int MOST_HELD_OUT = 1 << 15;
    private static final int HELD_OUT_OF = 4;

    private static final int MOST_BASE = 1 << 10;

    /** Knowledge that saves less than this part is not worth a lookup at each query. */
    private static final double WORTH_IT = 0.98;

    /** Of what is held out, so many are enough to compare sketches; the final shares are taken from all. */
    private static final int COMPARED = 1 << 12;

    private final Stream keys;
    private final Stream misses;
    private long hits;

    /** A learner with rows of 2^17 cells. */
    public DistributionLearner() {
        this(DEFAULT_BITS);
    }

    /** @param rowBits the logarithm of how many cells a row of a sketch has; 5 to 24 */
    public DistributionLearner(int rowBits) {
        if (rowBits < LevelSketch.LEAST_BITS || rowBits > LevelSketch.MOST_BITS) {
            throw new IllegalArgumentException("rows have from 2^5 to 2^24 cells, not 2^" + rowBits);
        }
        keys = new Stream(rowBits, 1);
        misses = new Stream(rowBits, 2);
    }

    /** Counts an insert. */
    public void addKey(long hash) {
        keys.add(hash);
    }

    /** Counts a query for a key that is not stored: what is learned from. */
    public void addMiss(long hash) {
        misses.add(hash);
    }

    /** Counts a query for a key that is stored: it tells nothing but what part of all queries can be false positives. */
    public void addHit() {
        hits++;
    }

    /**
     * Counts a query as a hit or a miss.
     *
     * @param stored a filter of all stored keys; the misses that it takes for hits are not learned from, so its rate
     *     should be low
     */
    public void addQuery(long hash, MembershipFilter stored) {
        if (stored.mightContainHash(hash)) {
            addHit();
        } else {
            addMiss(hash);
        }
    }

    /** How many inserts were counted. */
    public long keyCount() {
        return keys.seen;
    }

    /** How many misses were counted. */
    public long missCount() {
        return misses.seen;
    }

    /** How many queries were counted, hits and misses. */
    public long queryCount() {
        return hits + misses.seen;
    }

    /** The part of the queries that were misses; 1 where there were none. The rate over all queries is the rate times this. */
    public double missShare() {
        return queryCount() == 0 ? 1 : misses.seen / (double) queryCount();
    }

    /** Whether there are enough keys and misses to learn from. */
    public boolean isLargeEnough() {
        return keys.seen >= LEAST_SAMPLE && misses.seen >= LEAST_SAMPLE;
    }

    /** The distribution with which a filter for n keys at that rate is smallest, its own size included. */
    public Distribution learn(double n, double fpp) {
        Choice none = new Choice(0, 1, 0, 1, false);
        if (!isLargeEnough()) {
            return distribution(none, COMPARED);
        }
        Choice best = none;
        double bestSize = size(distribution(none, COMPARED), n, fpp);
        // One thing after the other: queries first, which tell most; then inserts; then single hashes.
        for (int part = 0; part < 3; part++) {
            for (Choice candidate : candidates(best, part)) {
                if (candidate.sketchBits() > bestSize) {
                    continue;
                }
                double size = size(distribution(candidate, COMPARED), n, fpp);
                if (size < bestSize) {
                    best = candidate;
                    bestSize = size;
                }
            }
        }
        // The best of many looks better than it is: all that was held out has the last word.
        Distribution chosen = distribution(best, MOST_HELD_OUT);
        Distribution plain = distribution(none, MOST_HELD_OUT);
        return size(chosen, n, fpp) < WORTH_IT * size(plain, n, fpp) ? chosen : plain;
    }

    private List<Choice> candidates(Choice from, int part) {
        List<Choice> candidates = new ArrayList<>();
        if (part == 2) {
            candidates.add(new Choice(from.keyBits, from.keyBase, from.queryBits, from.queryBase, true));
            return candidates;
        }
        CountMin counts = part == 0 ? misses.counts : keys.counts;
        int most = counts.highest();
        for (int bits = LevelSketch.LEAST_BITS; bits <= counts.bits(); bits++) {
            for (int base = part == 0 ? 1 : 2; base <= Math.min(MOST_BASE, most); base *= 2) {
                candidates.add(
                        part == 0
                                ? new Choice(from.keyBits, from.keyBase, bits, base, from.heavy)
                                : new Choice(bits, base, from.queryBits, from.queryBase, from.heavy));
            }
        }
        return candidates;
    }

    private static double size(Distribution candidate, double n, double fpp) {
        return candidate.sizeInBits()
                + Math.max(Long.SIZE, DaisyPlan.of(candidate.classes(), n, fpp).bits());
    }

    /** What a distribution keeps of the counts. */
    private record Choice(int keyBits, int keyBase, int queryBits, int queryBase, boolean heavy) {
        double sketchBits() {
            return (double) Long.SIZE * (LevelSketch.wordCount(keyBits) + LevelSketch.wordCount(queryBits));
        }
    }

    private Distribution distribution(Choice choice, int held) {
        boolean isPlain = choice.keyBits == 0 && choice.queryBits == 0 && !choice.heavy;
        if (isPlain) {
            return Distribution.uniform(Distribution.WHOLE_UNIVERSE);
        }
        int classCount = LevelSketch.CLASS_COUNT;
        LevelSketch sketch = choice.keyBits == 0 && choice.queryBits == 0
                ? null
                : CountMin.frozen(
                        keys.counts, choice.keyBits, choice.keyBase, misses.counts, choice.queryBits, choice.queryBase);
        ClassTable table = null;
        if (choice.heavy) {
            HeavyClasses heavy = new HeavyClasses(keys.heavy, misses.heavy, classCount);
            table = heavy.table();
            classCount = heavy.classCount();
        }
        KeyClass blank = new KeyClass(0, 0, 0, 0);
        return withShares(Distribution.frozen(Collections.nCopies(classCount, blank), 0, table, sketch), held);
    }

    /** The same classes with their shares of what was held out, none of them quite 0. */
    private Distribution withShares(Distribution sorted, int held) {
        double[] inserts = keys.shares(sorted, held);
        double[] queried = misses.shares(sorted, held);
        List<KeyClass> classes = new ArrayList<>();
        for (int i = 0; i < inserts.length; i++) {
            classes.add(new KeyClass(
                    inserts[i] / Distribution.WHOLE_UNIVERSE,
                    queried[i] / Distribution.WHOLE_UNIVERSE,
                    inserts[i],
                    queried[i]));
        }
        return Distribution.frozen(classes, sorted.restClass(), sorted.table(), sorted.sketch());
    }

    /** One of the two samples. */
    private static final class Stream {

        final CountMin counts;
        final HeavyHitters heavy = new HeavyHitters(MOST_HEAVY);
        final Reservoir heldOut;
        private final long seed;
        long seen;

        Stream(int bits, long seed) {
            this.seed = seed;
            counts = new CountMin(bits);
            heldOut = new Reservoir(MOST_HELD_OUT, seed);
        }

        void add(long hash) {
            // By chance and not by turns: what a log repeats every fourth place would be held out always, or never.
            if (FastRange.place(Mix.expand(seen++, seed, 1), HELD_OUT_OF) == 0) {
                heldOut.add(hash);
            } else {
                heavy.offer(hash, counts.add(hash));
            }
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
