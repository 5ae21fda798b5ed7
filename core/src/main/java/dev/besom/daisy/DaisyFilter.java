package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.MergeCheck;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Daisy Bloom filter: one array of bits in which each key has as many probes as its chances of being stored and of
 * being queried deserve, from none to log2(1 / fpp) rounded up. With no more knowledge than that all keys are alike it
 * is a Bloom filter.
 *
 * <pre>
 *   hash --distribution--&gt; class --&gt; probes          surely stored, or seldom queried    0   always "maybe"
 *                                     |              rather stored than queried          1 ... 6
 *   bits  0 1 0 [1] 0 0 1 [1] 0 [0] ...              rather queried than stored          7   (at 1 %)
 * </pre>
 *
 * <b>Terms.</b> The <em>capacity</em> is a number of draws: keys come with repetitions, and how many different ones come
 * follows from the distribution. The rate is that over the queries of the distribution.
 *
 * <p><b>No key is lost whatever the distribution says</b>, because a hash has the same class and a class the same probes
 * in every query as at the insert: both are saved with the filter and never change. A wrong distribution costs space
 * or rate: if its p and q are off by a factor of f, keys have up to log2(f) probes too many or too few.
 *
 * <p><b>Warming up.</b> If the shares of the classes are not known, the first (log2 n)^3 draws are kept exactly, counted by
 * class, and put in when the size of the bits follows from the counts.
 *
 * <p><b>Departures from the paper.</b> The size is the one with which the rate is that asked for, and k is that of a lower
 * rate where this takes less space ({@link DaisyPlan}); the option {@code sizing=formula} gives the paper's k and LB / ln 2,
 * with up to a third more false positives under Zipf's law. Classes stand for keys that are nearly alike.
 *
 * <p><b>Cost.</b> A query for a key of k probes touches at most k cache lines, after one lookup of its class. One
 * writer at a time.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
public final class DaisyFilter extends DistributionFilter implements MergeableFilter {

    static final String KIND = "daisy";

    private static final DaisyForm IMAGE = new DaisyForm(KIND, "probes of each class", ClassNumbers::probes);
    static final ImageForm FORM = IMAGE.form;
    private static final ImageForm.LongField SIZING =
            FORM.whole("sizing", "0 for probes rounded up, 1 by the paper's formula");
    private static final ImageForm.Section BITS = FORM.section("bits", "the bits, lowest first");
    private static final WarmUpForm WARM_UP = new WarmUpForm(FORM);

    static {
        FORM.parts("bits of filters that were merged and had another plan, with their probes");
    }

    private static final Sheet[] NO_SHEETS = {};

    private final boolean byFormula;
    private Sheet sheet;

    /** Of filters that were merged and had another plan. */
    private Sheet[] merged;

    private @Nullable WarmUp warmUp;

    private DaisyFilter(
            DaisyHeader header, boolean byFormula, VariedBits bits, Sheet[] merged, @Nullable WarmUp warmUp) {
        super(header);
        this.byFormula = byFormula;
        this.sheet = new Sheet(header.numbers(), bits);
        this.merged = merged;
        this.warmUp = warmUp;
    }

    /** An empty filter of keys that all are alike, with the options {@code universe} and {@code sizing}. */
    static DaisyFilter make(FilterSpec spec) {
        return make(spec, DaisyKinds.uniform(spec));
    }

    /** An empty filter that knows a distribution, with the option {@code sizing}. */
    static DaisyFilter make(FilterSpec spec, Distribution distribution) {
        boolean byFormula = DaisyKinds.isSizedByFormula(spec);
        DaisyKinds.checkRate(FORM.kind(), spec.fpp());
        if (distribution.areSharesKnown()) {
            DaisyPlan plan = plan(spec, byFormula, distribution.classes());
            return new DaisyFilter(
                    DaisyHeader.of(spec, distribution, ClassNumbers.probes(plan.probesOfClasses())),
                    byFormula,
                    allocate(plan.bits(), spec.seed()),
                    NO_SHEETS,
                    null);
        }
        int[] none = new int[distribution.classCount()];
        return new DaisyFilter(
                DaisyHeader.of(spec, distribution, ClassNumbers.probes(none)),
                byFormula,
                allocate(0, spec.seed()),
                NO_SHEETS,
                new WarmUp(WarmUp.drawsFor(spec.capacity()), distribution.classCount()));
    }

    private static DaisyPlan plan(FilterSpec spec, boolean byFormula, List<KeyClass> classes) {
        double n = (double) spec.capacity();
        return byFormula ? DaisyPlan.byFormula(classes, n, spec.fpp()) : DaisyPlan.of(classes, n, spec.fpp());
    }

    private static VariedBits allocate(double sizeInBits, long seed) {
        return VariedBits.allocate(FORM.kind(), sizeInBits, seed);
    }

    /** Sets the probes of each class and makes the bits. */
    private void finish(WarmUp first) {
        Distribution known = distribution().withCountedInserts(first.drawsOfClass());
        FilterSpec spec = header().spec();
        DaisyPlan plan = plan(spec, byFormula, known.classes());
        DaisyHeader planned = DaisyHeader.of(spec, known, ClassNumbers.probes(plan.probesOfClasses()));
        setHeader(planned);
        sheet = new Sheet(planned.numbers(), allocate(plan.bits(), spec.seed()));
        setAll(first);
        warmUp = null;
    }

    private void setAll(WarmUp first) {
        for (int i = 0; i < first.size(); i++) {
            sheet.set(first.hash(i), first.classOf(i));
        }
    }

    @Override
    public boolean mightContainHash(long hash, int keyClass) {
        WarmUp first = warmUp;
        if (first != null) {
            return first.contains(hash);
        }
        return sheet.mightContain(hash, keyClass) || isInMerged(hash, keyClass);
    }

    private boolean isInMerged(long hash, int keyClass) {
        for (Sheet other : merged) {
            if (other.mightContain(hash, keyClass)) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean put(long hash, int keyClass) {
        WarmUp first = warmUp;
        if (first == null) {
            return sheet.set(hash, keyClass) && !isInMerged(hash, keyClass);
        }
        boolean isNew = first.add(hash, keyClass);
        if (first.isOver()) {
            finish(first);
        }
        return isNew;
    }

    /**
     * Takes the keys of another filter of the same spec and classes. Bits of the same plan are united. Filters that
     * learned their shares on their own have plans that differ: the other one's bits are kept beside this one's, and a
     * query reads both.
     */
    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(FORM.kind());
        DaisyFilter that = check.type(DaisyFilter.class, other);
        check.same("sizing by the formula", byFormula, that.byFormula);
        header().requireSameClasses(FORM.kind(), that.header());
        if (that == this) {
            return;
        }
        WarmUp mine = warmUp;
        WarmUp others = that.warmUp;
        if (mine != null && others != null) {
            mergeWarmUps(mine, others);
            return;
        }
        if (mine != null) {
            // The other one knows the shares: its plan is this one's too.
            setHeader(that.header());
            sheet = that.sheet.copy();
            merged = Arrays.stream(that.merged).map(Sheet::copy).toArray(Sheet[]::new);
            setAll(mine);
            warmUp = null;
        } else if (others != null) {
            setAll(others);
        } else {
            unite(that.sheet);
            for (Sheet one : that.merged) {
                unite(one);
            }
        }
        addCountsOf(that);
    }

    private void mergeWarmUps(WarmUp mine, WarmUp others) {
        int before = mine.size();
        mine.addAll(others);
        addCounts(others.draws(), mine.size() - before);
        if (mine.isOver()) {
            finish(mine);
        }
    }

    private void unite(Sheet other) {
        if (sheet.isLike(other)) {
            sheet.or(other);
            return;
        }
        for (Sheet one : merged) {
            if (one.isLike(other)) {
                one.or(other);
                return;
            }
        }
        merged = Arrays.copyOf(merged, merged.length + 1);
        merged[merged.length - 1] = other.copy();
    }

    @Override
    public DaisyFilter bind(HashClassifier classifier) {
        return new DaisyFilter(header().bind(classifier), byFormula, sheet.bits(), merged, warmUp);
    }

    /** Whether the first keys are still being counted. */
    public boolean isWarmingUp() {
        return warmUp != null;
    }

    /** How many probes keys of a class have; 0 while the filter is warming up. */
    public int probesOf(int keyClass) {
        return numberToQuery(keyClass);
    }

    /** The paper's condition for its rate, n * sum(p q) &lt;= fpp, for this filter's distribution and plan. */
    public DaisyMath.Condition condition() {
        FilterSpec spec = header().spec();
        List<KeyClass> classes = distribution().classes();
        return DaisyMath.condition(classes, (double) spec.capacity(), spec.fpp(), plan(spec, byFormula, classes));
    }

    @Override
    public long bitsWithoutDistribution() {
        WarmUp first = warmUp;
        long size = sheet.bits().sizeInBits() + (first == null ? 0 : first.sizeInBits());
        for (Sheet other : merged) {
            size += other.sizeInBits();
        }
        return size;
    }

    @Override
    IntToDoubleFunction rates() {
        if (warmUp != null) {
            return keyClass -> 0;
        }
        double[] none = new double[distribution().classCount()];
        Arrays.fill(none, 1);
        Stream.concat(Stream.of(sheet), Arrays.stream(merged)).map(Sheet::rates).forEach(rates -> {
            for (int keyClass = 0; keyClass < none.length; keyClass++) {
                none[keyClass] *= 1 - rates[keyClass];
            }
        });
        return keyClass -> 1 - none[keyClass];
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = WARM_UP.write(IMAGE.write(header()), warmUp)
                .set(SIZING, byFormula ? 1 : 0)
                .set(BITS, sheet.bits().words());
        for (Sheet other : merged) {
            writer.part(other.image());
        }
        return writer.image();
    }

    static DaisyFilter read(FilterImage image) {
        DaisyHeader header = IMAGE.read(image, DaisyMath.MAX_PROBES);
        boolean byFormula = image.get(SIZING, 0, 1) == 1;
        long seed = header.spec().seed();
        int classCount = header.distribution().classCount();
        Sheet[] merged = image.parts(FORM, Sheet.FORM).stream()
                .map(part -> Sheet.read(part, classCount, seed))
                .toArray(Sheet[]::new);
        return new DaisyFilter(
                header, byFormula, VariedBits.read(image, BITS, seed), merged, WARM_UP.read(image, header));
    }
}
