package dev.besom.distribution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which class each hash is in, and how likely the keys of each class are inserted and queried. It never changes.
 *
 * <pre>
 *   hash --&gt; table of single hashes --found--&gt; class
 *                 | not found, or no table
 *                 v
 *            sketch of levels | ranges of ranks | the caller's classifier | nothing: the rest class
 * </pre>
 *
 * Sources: {@link #uniform}; {@link #exact}, a table; {@link #zipf}, by rank; {@link #classified}, the user's own rule;
 * {@link #scored}, classes that come with each key; and {@link DistributionLearner}, samples.
 *
 * <p>One class of code for all sources, and no interface, so that a filter's query compiles to straight code whatever
 * its distribution came from.
 */
public final class Distribution {

    /** The class of a hash whose classifier is not at hand. */
    public static final int UNKNOWN = -1;

    /** More classes would only repeat numbers of probes: a filter has 64 at most. */
    public static final int MAX_CLASSES = 4096;

    /** As many keys as there are hashes: a universe of which a filter sees next to nothing. */
    public static final double WHOLE_UNIVERSE = 0x1p64;

    private static final double SUM_TOLERANCE = 1e-6;

    /** Zipf's ranks share a class as long as their probabilities differ by less than the 16th root of two. */
    private static final double CLASSES_PER_OCTAVE = 16;

    private final List<KeyClass> classes;
    private final boolean sharesKnown;
    private final int restClass;
    private final @Nullable ClassTable table;
    private final @Nullable LevelSketch sketch;
    private final @Nullable RankClasses ranks;
    private final @Nullable CallerClasses caller;

    Distribution(
            List<KeyClass> classes,
            boolean sharesKnown,
            int restClass,
            @Nullable ClassTable table,
            @Nullable LevelSketch sketch,
            @Nullable RankClasses ranks,
            @Nullable CallerClasses caller) {
        if (classes.isEmpty() || classes.size() > MAX_CLASSES) {
            throw new IllegalArgumentException(
                    "there are from 1 to " + MAX_CLASSES + " classes, not " + classes.size());
        }
        if (restClass < 0 || restClass >= classes.size()) {
            throw new IllegalArgumentException("the rest class " + restClass + " is not one of " + classes.size());
        }
        if (sketch != null && classes.size() < LevelSketch.CLASS_COUNT) {
            throw new IllegalArgumentException("a sketch has more than " + classes.size() + " classes");
        }
        if (ranks != null && classes.size() != ranks.lastRanks().length + 1) {
            throw new IllegalArgumentException(classes.size() + " classes are no ranges of ranks and the rest");
        }
        this.classes = List.copyOf(classes);
        this.sharesKnown = sharesKnown;
        this.restClass = restClass;
        this.table = table;
        this.sketch = sketch;
        this.ranks = ranks;
        this.caller = caller;
    }

    /** Every key of a universe is inserted and queried alike: what is assumed where nothing is known. */
    public static Distribution uniform(double universe) {
        if (!(universe >= 1)) {
            throw new IllegalArgumentException("a universe has at least 1 key, not " + universe);
        }
        return frozen(List.of(new KeyClass(1 / universe, 1 / universe, 1, 1)), 0, null, null);
    }

    static Distribution frozen(
            List<KeyClass> classes, int restClass, @Nullable ClassTable table, @Nullable LevelSketch sketch) {
        return new Distribution(classes, true, restClass, table, sketch, null, null);
    }

    /**
     * The probabilities of single hashes, and what all others have in common. Hashes of nearly equal probabilities share
     * a class.
     *
     * @param hashes distinct
     * @param insertProbabilities p of each
     * @param queryProbabilities q of each
     * @param rest p and q of one other key, and the shares of all of them
     * @throws IllegalArgumentException if the probabilities and the rest's share do not sum to 1
     */
    public static Distribution exact(
            long[] hashes, double[] insertProbabilities, double[] queryProbabilities, KeyClass rest) {
        requireOne("inserts", Arrays.stream(insertProbabilities).sum() + rest.insertShare());
        requireOne("queries", Arrays.stream(queryProbabilities).sum() + rest.queryShare());
        for (int steps = 16; ; steps /= 2) {
            Map<Long, Integer> classOfCell = new TreeMap<>();
            int[] classOfHash = new int[hashes.length];
            for (int i = 0; i < hashes.length; i++) {
                long cell = (long) level(insertProbabilities[i], steps) << 32 | level(queryProbabilities[i], steps);
                Integer known = classOfCell.putIfAbsent(cell, classOfCell.size());
                classOfHash[i] = known == null ? classOfCell.size() - 1 : known;
            }
            if (classOfCell.size() < MAX_CLASSES || steps == 1) {
                List<KeyClass> classes =
                        means(classOfHash, classOfCell.size(), insertProbabilities, queryProbabilities);
                classes.add(rest);
                return frozen(classes, classes.size() - 1, new ClassTable(hashes, classOfHash), null);
            }
        }
    }

    private static void requireOne(String what, double sum) {
        if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
            throw new IllegalArgumentException("the probabilities of all " + what + " sum to " + sum + ", not to 1");
        }
    }

    /** A number on a scale of so many steps an octave, by the bits of the double alone. */
    private static int level(double probability, int steps) {
        return (int) (Double.doubleToRawLongBits(probability) >>> (52 - Integer.numberOfTrailingZeros(steps)));
    }

    private static List<KeyClass> means(int[] classOfHash, int classCount, double[] p, double[] q) {
        double[] inserts = new double[classCount];
        double[] queries = new double[classCount];
        int[] sizes = new int[classCount];
        for (int i = 0; i < classOfHash.length; i++) {
            inserts[classOfHash[i]] += p[i];
            queries[classOfHash[i]] += q[i];
            sizes[classOfHash[i]]++;
        }
        List<KeyClass> classes = new ArrayList<>();
        for (int i = 0; i < classCount; i++) {
            classes.add(new KeyClass(
                    inserts[i] / sizes[i], queries[i] / sizes[i], Math.min(1, inserts[i]), Math.min(1, queries[i])));
        }
        return classes;
    }

    /**
     * Zipf's law by rank: the key of rank r is inserted with a probability proportional to r^-insertExponent and queried
     * with one proportional to r^-queryExponent; exponent 0 is uniform. The hash of a rank is {@link #hashOfRank}.
     */
    public static Distribution zipf(double insertExponent, double queryExponent, long universe, long seed) {
        double insertSum = PowerSums.sum(1, universe, insertExponent);
        double querySum = PowerSums.sum(1, universe, queryExponent);
        double steepest = Math.max(Math.max(insertExponent, queryExponent), 0.1);
        long[] lastRanks = lastRanks(universe, CLASSES_PER_OCTAVE * steepest);
        List<KeyClass> classes = new ArrayList<>();
        long before = 0;
        for (long last : lastRanks) {
            double inserts = PowerSums.sum(before + 1, last, insertExponent) / insertSum;
            double queries = PowerSums.sum(before + 1, last, queryExponent) / querySum;
            double size = last - before;
            classes.add(new KeyClass(inserts / size, queries / size, Math.min(1, inserts), Math.min(1, queries)));
            before = last;
        }
        RankClasses ranks = new RankClasses(seed, lastRanks);
        // A hash outside the universe is never put in; should one come, it is treated like the rarest key.
        classes.add(new KeyClass(0, 1 / WHOLE_UNIVERSE, 0, 0));
        return new Distribution(classes, true, classes.size() - 1, null, null, ranks, null);
    }

    /** The last rank of each class: as many classes an octave of ranks as wished, or fewer where they would be too many. */
    private static long[] lastRanks(long universe, double classesPerOctave) {
        double growth = StrictMath.pow(2, 1 / classesPerOctave);
        long[] lastRanks = new long[MAX_CLASSES - 1];
        int count = 0;
        long last = 0;
        while (last < universe && count < lastRanks.length) {
            last = Math.min(universe, Math.max(last + 1, (long) ((last + 1) * growth)));
            lastRanks[count++] = last;
        }
        return last < universe ? lastRanks(universe, classesPerOctave / 2) : Arrays.copyOf(lastRanks, count);
    }

    /** The hash that stands for the key of a rank from 1 on, in {@link #zipf}. */
    public static long hashOfRank(long rank, long seed) {
        return RankClasses.hash(rank, seed);
    }

    /**
     * The user's own rule. What part of the keys each class makes up need not be known: a filter learns it from the first
     * keys it is given.
     *
     * @param classes p and q of one key of each class; their shares are not looked at unless they are known
     * @param sharesKnown whether the shares of the classes are right
     */
    public static Distribution classified(HashClassifier classifier, List<KeyClass> classes, boolean sharesKnown) {
        return new Distribution(
                classes, sharesKnown, 0, null, null, null, CallerClasses.of(classifier, classes.size()));
    }

    /**
     * Classes that the caller gives with each key, for models that need the key itself: see
     * {@link dev.besom.distribution.ScoredKeys}.
     *
     * @param classes of the model's classes, in their order
     * @throws IllegalArgumentException if they are not as many as the model has, or one of them has no example
     */
    public static Distribution scored(ScoredKeys.Model<?> model, List<KeyClass> classes) {
        model.requireExamples();
        Distribution scored = new Distribution(classes, true, 0, null, null, null, CallerClasses.of(model));
        scored.requireModel(model);
        return scored;
    }

    /** The class of a hash; {@link #UNKNOWN} where the caller's classifier is not at hand. */
    public int classOf(long hash) {
        if (table != null) {
            int found = table.find(hash);
            if (found >= 0) {
                return found;
            }
        }
        if (sketch != null) {
            return sketch.classOf(hash);
        }
        if (ranks != null) {
            return ranks.classOf(hash);
        }
        return caller == null ? restClass : classByCaller(caller, hash);
    }

    private int classByCaller(CallerClasses own, long hash) {
        HashClassifier classifier = own.classifier();
        return classifier == null ? UNKNOWN : CallerClasses.classOf(classifier, hash, classes.size());
    }

    /** What there is to know of each class, by its number. */
    public List<KeyClass> classes() {
        return classes;
    }

    /** The number of classes. */
    public int classCount() {
        return classes.size();
    }

    /** Whether the classes' shares of inserts and queries are known. */
    public boolean areSharesKnown() {
        return sharesKnown;
    }

    /** The name of the caller's classifier or model; null where there is none. */
    public @Nullable String classifierId() {
        return caller == null ? null : caller.id();
    }

    /** The same hashes in the same classes, with other numbers for each class. */
    public Distribution withClasses(UnaryOperator<KeyClass> change) {
        return new Distribution(
                classes.stream().map(change).toList(), sharesKnown, restClass, table, sketch, ranks, caller);
    }

    /** The same hashes in the same classes, whose shares of the inserts were counted. */
    Distribution withInsertShares(double[] shares) {
        List<KeyClass> changed = new ArrayList<>();
        double allQueries = 0;
        for (int i = 0; i < shares.length; i++) {
            allQueries += queryShare(classes.get(i), shares[i]);
        }
        for (int i = 0; i < shares.length; i++) {
            double queries = queryShare(classes.get(i), shares[i]);
            changed.add(classes.get(i).withShares(shares[i], queries / Math.max(1, allQueries)));
        }
        return new Distribution(changed, true, restClass, table, sketch, ranks, caller);
    }

    /** A class has as many keys by its inserts as by its queries: share / p = share / q. */
    private static double queryShare(KeyClass keys, double insertShare) {
        return keys.insertProbability() == 0 ? 0 : insertShare / keys.insertProbability() * keys.queryProbability();
    }

    /** Shares of the inserts from how many of the first draws were of each class, none of them quite 0. */
    public Distribution withCountedInserts(long[] draws) {
        double sum = 0;
        for (long count : draws) {
            sum += count + 0.5 / draws.length;
        }
        double[] shares = new double[draws.length];
        for (int i = 0; i < draws.length; i++) {
            shares[i] = (draws[i] + 0.5 / draws.length) / sum;
        }
        return withInsertShares(shares);
    }

    /**
     * The same distribution with the caller's classifier at hand.
     *
     * @throws IllegalArgumentException if it is not the one that the distribution was made with, or answers otherwise
     */
    public Distribution bind(HashClassifier classifier) {
        if (caller == null) {
            throw new IllegalArgumentException("the distribution has no classifier of the caller's");
        }
        return new Distribution(
                classes, sharesKnown, restClass, table, sketch, ranks, caller.bind(classifier, classes.size()));
    }

    /** @throws IllegalArgumentException if it is not the model that the distribution was made with, or answers otherwise */
    void requireModel(ScoredKeys.Model<?> model) {
        if (caller == null) {
            throw new IllegalArgumentException("the classes are not those of a model, such as '" + model.id() + "'");
        }
        caller.requireModel(model);
        if (classes.size() != model.classCount()) {
            throw new IllegalArgumentException("the model '" + model.id() + "' has " + model.classCount()
                    + " classes, and the distribution " + classes.size());
        }
    }

    /** The memory of all that tells classes apart, the caller's model included, and of their numbers. */
    public long sizeInBits() {
        long size = 4L * Double.SIZE * classes.size();
        size += table == null ? 0 : table.sizeInBits();
        size += sketch == null ? 0 : sketch.sizeInBits();
        size += ranks == null ? 0 : ranks.sizeInBits();
        size += caller == null ? 0 : caller.sizeInBits();
        return size;
    }

    /** Whether the other one puts every hash into the same class with the same numbers. */
    public boolean isSameAs(Distribution other) {
        return DistributionForm.areSame(this, other);
    }

    /** Whether the other one puts every hash into the same class with the same probabilities; shares may differ. */
    public boolean hasSameClassesAs(Distribution other) {
        return withoutShares().isSameAs(other.withoutShares());
    }

    private Distribution withoutShares() {
        List<KeyClass> changed =
                classes.stream().map(keys -> keys.withShares(0, 0)).toList();
        return new Distribution(changed, false, restClass, table, sketch, ranks, caller);
    }

    int restClass() {
        return restClass;
    }

    @Nullable
    ClassTable table() {
        return table;
    }

    @Nullable
    LevelSketch sketch() {
        return sketch;
    }

    @Nullable
    RankClasses ranks() {
        return ranks;
    }

    @Nullable
    CallerClasses caller() {
        return caller;
    }
}
