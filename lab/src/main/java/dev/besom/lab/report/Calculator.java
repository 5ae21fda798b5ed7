package dev.besom.lab.report;

import dev.besom.Approximator;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.bits.BitVector;
import dev.besom.bloom.BlockedBloomMath;
import dev.besom.bloom.BloomMath;
import dev.besom.bloom.LinedBloomMath;
import dev.besom.compact.CountingGolombFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.advice.Trial;
import dev.besom.math.ZipfMath;
import dev.besom.quotient.slots.QuotientSizing;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What filters of each kind take: the formulas of {@code dev.besom.math} put together as the kinds do it. The page has the
 * same in {@code formulas.js}, function by function; tests compare the two, and the page compares itself with {@link
 * #checks()} whenever it is opened.
 *
 * <p>A kind without a formula here gets a curve through the sizes of real, empty filters.
 */
public final class Calculator {

    /** No filter of 64-bit hashes has a lower rate. */
    public static final double LEAST_FPP = 0x1p-64;

    /** The filters by which indexes are measured. */
    private static final long TRIED_KEYS = 1 << 12;

    private static final double TRIED_FPP = 0.01;

    /** The part of slots in use in the tables of the quotient family. */
    private static final double TABLE_LOAD = 0.95;

    private static final double SLOTS_A_BLOCK = 64;
    private static final int MAX_REMAINDER_BITS = 32;
    private static final double WORD_BITS = 64;
    private static final double BLOCK_BITS = 512;
    /** Of the bits of a key, in a Bloom filter. */
    private static final int BITS_A_LINE = 3;

    private static final double COUNTER_BITS = 4;
    private static final double COUNTERS_A_WORD = 16;

    /** What {@code composite-bloom} plans for unless told otherwise. */
    private static final double KEYS_A_REMOVAL = 10;

    private static final double FALSE_NEGATIVE_RATE = 0.001;

    private static final int SAMPLED_KEYS = 100_000;

    /** Static filters have to be built to be measured. */
    private static final int BUILT_KEYS = 1 << 16;

    /** As many of kinds that are slow to build. */
    private static final int FEWER_BUILT_KEYS = 1 << 14;

    private static final int SAMPLED_HALF_BITS = 40;

    private static final double LOWEST_LOG_RATE = -40;
    private static final int SEARCH_STEPS = 30;

    private static final Map<String, Model> MODELS = Map.ofEntries(
            Map.entry("bloom", Model.of("bloom")),
            Map.entry("blocked-bloom", Model.blocked()),
            Map.entry("counting-bloom", Model.of("counting")),
            Map.entry("composite-bloom", Model.of("composite")),
            Map.entry("scalable-bloom", Model.of("scalable")),
            Map.entry("quotient", Model.table(2)),
            Map.entry("telescoping", Model.table(4)),
            Map.entry("telescoping-plain", Model.table(10)),
            Map.entry("telescoping-compact", Model.table(3)),
            Map.entry("extension", Model.table(4)));

    /** By the names of kinds: a curve takes dozens of filters to draw, and is the same each time. */
    private static final Map<String, Model> SAMPLED = new ConcurrentHashMap<>();

    private Calculator() {}

    /**
     * How the size of a kind comes about.
     *
     * @param name which formula
     * @param metadataWords of a table: the words of a block beside its remainders
     * @param samples where there is no formula: pairs of log2(rate) and bits a key, from the highest rate down; of blocked filters,
     *     by bits of a group, the terms of their rate
     */
    public record Model(String name, int metadataWords, List<List<Double>> samples) {

        static Model of(String name) {
            return new Model(name, 0, List.of());
        }

        static Model blocked() {
            return new Model(
                    "blocked",
                    0,
                    IntStream.rangeClosed(1, BlockedBloomMath.MAX_BITS_PER_GROUP)
                            .mapToObj(BlockedBloomMath::coverTerms)
                            .toList());
        }

        static Model table(int metadataWords) {
            return new Model("table", metadataWords, List.of());
        }
    }

    /**
     * A filter on paper.
     *
     * @param bits its memory; infinite where there is no such filter
     * @param probes the most places of memory that a query for a stored key looks at; not a number if unknown
     * @param rate its false-positive rate when it is full
     */
    public record Plan(double bits, double probes, double rate) {
        static final Plan IMPOSSIBLE = new Plan(Double.POSITIVE_INFINITY, Double.NaN, Double.NaN);
    }

    /** The model of a kind; one of samples where there is no formula for it. */
    public static Model model(Kind kind) {
        Model known = MODELS.get(kind.name());
        return known != null ? known : SAMPLED.computeIfAbsent(kind.name(), name -> sampled(kind));
    }

    private static Model sampled(Kind kind) {
        List<List<Double>> samples = new ArrayList<>();
        for (int halfBits = 1; halfBits <= SAMPLED_HALF_BITS; halfBits++) {
            double logRate = -halfBits / 2.0;
            sample(kind, logRate).ifPresent(bits -> samples.add(List.of(logRate, bits)));
        }
        return new Model(isSizedWhenFilled(kind) ? "stepped" : "sampled", 0, List.copyOf(samples));
    }

    /** Hashes of the numbers from 0 on. */
    private record CountedHashes(long count) implements HashSource {
        @Override
        public void forEach(LongConsumer action) {
            LongStream.range(0, count).map(KeyHasher.longs()::hash).forEach(action);
        }
    }

    /** Whether an empty filter does not tell how large a full one is: it is not made empty, or grows with its keys. */
    static boolean isSizedWhenFilled(Kind kind) {
        return kind.isBuiltAtOnce() || kind.type() == CountingGolombFilter.class;
    }

    /** Bits a key of a real filter; none where the kind refuses the rate. */
    private static OptionalDouble sample(Kind kind, double logRate) {
        try {
            double fpp = Math.pow(2, logRate);
            if (isSizedWhenFilled(kind)) {
                int keys = kind.tradesTimeForSpace() ? FEWER_BUILT_KEYS : BUILT_KEYS;
                PersistentFilter built =
                        kind.build(FilterSpec.of(keys, fpp), new CountedHashes(keys), StoredHashes.none());
                return OptionalDouble.of(built.sizeInBits() / (double) keys);
            }
            FilterSpec spec = FilterSpec.of(SAMPLED_KEYS, fpp);
            return OptionalDouble.of(kind.make(spec, StoredHashes.none()).sizeInBits() / (double) SAMPLED_KEYS);
        } catch (IllegalArgumentException e) {
            return OptionalDouble.empty();
        }
    }

    /**
     * The filter for so many keys.
     *
     * @param keys how many are planned at first
     * @param growth how many times as many there are in the end
     * @param fpp the rate asked for
     */
    public static Plan plan(Model model, double keys, double growth, double fpp) {
        double all = Math.ceil(keys * growth);
        return switch (model.name) {
            case "bloom" -> bloom(all, fpp);
            case "blocked" -> blocked(all, fpp);
            case "counting" -> counting(all, fpp);
            case "composite" -> composite(all, fpp);
            case "scalable" -> scalable(keys, all, fpp);
            case "table" -> table(all, fpp, model.metadataWords);
            case "stepped" -> interpolated(model.samples, all, fpp, true);
            default -> interpolated(model.samples, all, fpp, false);
        };
    }

    private static Plan bloom(double keys, double fpp) {
        int probes = BloomMath.fewProbes(fpp);
        double lines = Math.ceil((double) probes / BITS_A_LINE);
        return new Plan((double) LinedBloomMath.bits((long) keys, fpp, probes), lines, fpp);
    }

    private static Plan blocked(double keys, double fpp) {
        double bitsPerKey = BlockedBloomMath.shape(fpp, 0, 0).bitsPerKey();
        if (Double.isInfinite(bitsPerKey)) {
            return Plan.IMPOSSIBLE;
        }
        return new Plan(BLOCK_BITS * Math.max(1, Math.ceil(keys * bitsPerKey / BLOCK_BITS)), 1, fpp);
    }

    private static Plan counting(double keys, double fpp) {
        int probes = BloomMath.fewProbes(fpp);
        double counters = (double) BloomMath.bits((long) keys, fpp, probes);
        // A word more than the counters need ends their array.
        double words = Math.ceil(counters / COUNTERS_A_WORD) + 1;
        return new Plan(words * COUNTERS_A_WORD * COUNTER_BITS, probes, fpp);
    }

    private static Plan composite(double keys, double fpp) {
        double removals = Math.max(1, Math.floor(keys / KEYS_A_REMOVAL));
        Plan added = bloom(keys + removals, fpp);
        Plan removed = bloom(Math.ceil(removals / (1 - FALSE_NEGATIVE_RATE)), FALSE_NEGATIVE_RATE);
        return new Plan(added.bits + removed.bits, added.probes + removed.probes, fpp);
    }

    private static Plan scalable(double first, double all, double fpp) {
        double bits = 0;
        double probes = 0;
        double rest = all;
        for (int layer = 0; rest > 0; layer++) {
            double capacity = first * Math.pow(2, layer);
            double rate = fpp * Math.pow(2, -layer - 1);
            Plan plan = bloom(Math.ceil(capacity / (1 - rate)), rate);
            bits += plan.bits;
            probes += plan.probes;
            rest -= capacity;
        }
        return new Plan(bits, probes, fpp);
    }

    private static Plan table(double keys, double fpp, int metadataWords) {
        int remainderBits = QuotientSizing.remainderBits(TABLE_LOAD, fpp);
        if (remainderBits > MAX_REMAINDER_BITS) {
            return Plan.IMPOSSIBLE;
        }
        long slots = QuotientSizing.slots((long) keys, TABLE_LOAD);
        double spare = (double) QuotientSizing.spareSlots(slots, TABLE_LOAD);
        double blocks = Math.ceil((slots + spare) / SLOTS_A_BLOCK);
        double words = blocks * (metadataWords + remainderBits) + 1 + Math.ceil(blocks / 8);
        return new Plan(WORD_BITS * words, 1, QuotientSizing.fpp(keys, slots, remainderBits));
    }

    /** @param isStepped whether fingerprints of whole bits make the size a step, as high as the next lower rate takes */
    private static Plan interpolated(List<List<Double>> samples, double keys, double fpp, boolean isStepped) {
        double logRate = Math.log(fpp) / Math.log(2);
        if (!samples.isEmpty() && logRate > samples.get(0).get(0)) {
            return new Plan(keys * samples.get(0).get(1), Double.NaN, fpp);
        }
        for (int i = 1; i < samples.size(); i++) {
            double right = samples.get(i).get(0);
            double left = samples.get(i - 1).get(0);
            if (logRate <= left && logRate >= right) {
                double share = isStepped ? 1 : (left - logRate) / (left - right);
                double bits =
                        samples.get(i - 1).get(1) * (1 - share) + samples.get(i).get(1) * share;
                return new Plan(keys * bits, Double.NaN, fpp);
            }
        }
        return Plan.IMPOSSIBLE;
    }

    /** The lowest rate to ask for with which a filter takes no more than that memory; not a number if there is none. */
    public static double lowestRate(Model model, double keys, double growth, double mostBits) {
        double low = LOWEST_LOG_RATE;
        double high = -0.01;
        // Kinds with levels are not smallest at the highest rate.
        while (!(plan(model, keys, growth, Math.pow(2, high)).bits <= mostBits)) {
            high -= 0.5;
            if (high < low) {
                return Double.NaN;
            }
        }
        for (int step = 0; step < SEARCH_STEPS; step++) {
            double middle = (low + high) / 2;
            if (plan(model, keys, growth, Math.pow(2, middle)).bits <= mostBits) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.pow(2, high);
    }

    /**
     * The share of lookups for missing keys that are wasted on the dictionary.
     *
     * @param rate the filter's rate
     * @param adaptive whether each false positive is paid for only once
     * @param keys missing keys that are asked for
     * @param skew the exponent of Zipf's law that they follow
     * @param lookups how many lookups there are
     */
    public static double wastedShare(double rate, boolean adaptive, double keys, double skew, double lookups) {
        return adaptive ? rate * ZipfMath.expectedDistinct(keys, skew, lookups) / lookups : rate;
    }

    /** What the page has to know of each kind. */
    public static List<Map<String, Object>> kinds() {
        List<Map<String, Object>> kinds = new ArrayList<>();
        for (Kind kind : Filters.kinds()) {
            Model model = model(kind);
            if (model.samples.isEmpty() && MODELS.get(kind.name()) == null) {
                continue;
            }
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("kind", kind.name());
            members.put("paper", kind.paper());
            members.put("delete", kind.isDeletable());
            members.put("grow", kind.isGrowable());
            members.put("static", kind.isStatic());
            members.put("values", kind.holdsValues() || Approximator.class.isAssignableFrom(kind.type()));
            members.put("learned", Filters.takesDistribution(kind));
            members.put("slow", kind.tradesTimeForSpace());
            members.put("falseNegatives", kind.hasFalseNegatives());
            members.put("adaptive", kind.isAdaptive());
            members.put("forgets", kind.isAdaptive() && !kind.keepsRepairs());
            members.put("indexBits", kind.isAdaptive() ? indexBits(kind) : 0.0);
            members.put(
                    "model",
                    Map.of("name", model.name, "metadataWords", model.metadataWords, "samples", model.samples));
            kinds.add(members);
        }
        return kinds;
    }

    private static double indexBits(Kind kind) {
        return Trial.of(kind, TRIED_KEYS, TRIED_FPP).map(Trial::indexBitsPerKey).orElse(0.0);
    }

    /** What can be asked at all, as the command line has it. */
    public static Map<String, Object> limits() {
        return Map.of(
                "leastFpp",
                LEAST_FPP,
                "mostBits",
                (double) BitVector.MAX_SIZE_IN_BITS,
                "mostSkew",
                ZipfMath.MAX_EXPONENT);
    }

    /** Values to compare a second implementation with, each as what was asked and what came out. */
    public static List<Map<String, Object>> checks() {
        List<Map<String, Object>> checks = new ArrayList<>();
        for (Kind kind : Filters.kinds()) {
            Model model = model(kind);
            for (double keys : new double[] {1000, 1e6, 1e9}) {
                for (double growth : new double[] {1, 10}) {
                    for (double fpp : new double[] {0.1, 0.01, 0.001, 1e-5}) {
                        Plan plan = plan(model, keys, growth, fpp);
                        Map<String, Object> check = new LinkedHashMap<>();
                        check.put("kind", kind.name());
                        check.put("keys", keys);
                        check.put("growth", growth);
                        check.put("fpp", fpp);
                        check.put("bits", plan.bits);
                        check.put("probes", plan.probes);
                        check.put("rate", plan.rate);
                        checks.add(check);
                    }
                }
            }
        }
        return checks;
    }

    /** The same for lookups. */
    public static List<Map<String, Object>> skewChecks() {
        List<Map<String, Object>> checks = new ArrayList<>();
        for (double keys : new double[] {1000, 1e7}) {
            for (double skew : new double[] {0, 0.8, 1.2, 2}) {
                double lookups = 2 * keys;
                checks.add(Map.of(
                        "keys", keys,
                        "skew", skew,
                        "lookups", lookups,
                        "distinct", ZipfMath.expectedDistinct(keys, skew, lookups)));
            }
        }
        return checks;
    }
}
