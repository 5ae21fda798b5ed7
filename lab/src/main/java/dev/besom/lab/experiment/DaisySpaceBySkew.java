package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.daisy.DaisyFilter;
import dev.besom.daisy.DaisyFingerprintFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.math.Entropy;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Bits a draw against the skew of the keys that are put in: Zipf's law over a universe a hundred times the draws, uniform
 * queries, a rate of 1 %. The paper has the formulas and no measurements.
 *
 * <p>Daisy filters come in two sizes: as they are planned by default, and by the paper's formula LB / ln 2, whose rate is
 * higher because keys set k rounded up. Bits are those of the filters alone. Here the distribution is a formula that both sides know; the table says what it
 * takes as the filters save it.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
final class DaisySpaceBySkew implements Experiment {

    private static final double FPP = 0.01;
    private static final long UNIVERSE_A_DRAW = 100;
    private static final double[] EXPONENTS = {0, 0.3, 0.6, 0.8, 0.9, 1.0, 1.1, 1.2};

    @Override
    public Description description() {
        return new Description(
                "daisy-space-by-skew",
                "Space against the skew of the inserts",
                "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024",
                "Theorems 2 to 4",
                "Bits for each key that is drawn, repetitions included. Keys that are surely stored anyway need no bits in a"
                        + " filter that knows the distribution; a Bloom filter is sized for the different keys.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int draws = conditions.choose(100_000, 1_000_000);
        int queries = conditions.choose(500_000, 4_000_000);
        long universe = UNIVERSE_A_DRAW * draws;
        double[] exponents = conditions.choose(new double[] {0, 0.6, 0.8, 1.0, 1.1}, EXPONENTS);
        List<Series.Point> formula = new ArrayList<>();
        List<Series.Point> bound = new ArrayList<>();
        List<Series.Point> daisyBits = new ArrayList<>();
        List<Series.Point> fingerprintBits = new ArrayList<>();
        List<Series.Point> bloomFormula = new ArrayList<>();
        List<Series.Point> bloomBits = new ArrayList<>();
        ResultTable.Builder table = ResultTable.columns(
                "exponent",
                "distinct keys a draw",
                "lower bound LB",
                "daisy by formula",
                "predicted rate of daisy by formula",
                "rate of daisy by formula",
                "daisy",
                "predicted rate of daisy",
                "rate of daisy",
                "daisy-fingerprint",
                "rate of daisy-fingerprint",
                "bloom by formula",
                "bloom",
                "rate of bloom",
                "distribution, saved");
        for (double exponent : exponents) {
            conditions.progress("exponent " + exponent);
            Distribution known = Distribution.zipf(exponent, 0, universe, conditions.seed());
            DaisyStream stream = new DaisyStream(exponent, universe, draws, conditions.seed());
            FilterSpec spec = FilterSpec.of(draws, FPP).withSeed(conditions.seed());
            DaisyFilter daisy = (DaisyFilter) make("daisy", spec, known);
            DaisyFilter byFormula = (DaisyFilter) make("daisy", spec.with("sizing", "formula"), known);
            DaisyFingerprintFilter fingerprint = (DaisyFingerprintFilter) make("daisy-fingerprint", spec, known);
            BloomFilter bloom = Filters.makeHashFilter(
                    "bloom",
                    spec.withCapacity(stream.distinctCount()).with("scheme", "enhanced-double"),
                    StoredHashes.none(),
                    BloomFilter.class);
            stream.fill(daisy);
            stream.fill(byFormula);
            stream.fill(fingerprint);
            stream.fill(bloom);
            double n = draws;
            double bestBloom = stream.distinctCount() * Entropy.bitsPerKey(FPP) / Math.log(2) / n;
            formula.add(new Series.Point(exponent, DaisyMath.formulaBits(known.classes(), n, FPP) / n));
            bound.add(new Series.Point(exponent, DaisyMath.lowerBound(known.classes(), n, FPP) / n));
            daisyBits.add(new Series.Point(exponent, daisy.bitsWithoutDistribution() / n));
            fingerprintBits.add(new Series.Point(exponent, fingerprint.bitsWithoutDistribution() / n));
            bloomFormula.add(new Series.Point(exponent, bestBloom));
            bloomBits.add(new Series.Point(exponent, bloom.sizeInBits() / n));
            table.row(
                    exponent,
                    stream.distinctCount() / n,
                    DaisyMath.lowerBound(known.classes(), n, FPP) / n,
                    byFormula.bitsWithoutDistribution() / n,
                    DaisyPlan.byFormula(known.classes(), n, FPP).rate(known.classes(), n),
                    stream.rate(byFormula, queries),
                    daisy.bitsWithoutDistribution() / n,
                    DaisyPlan.of(known.classes(), n, FPP).rate(known.classes(), n),
                    stream.rate(daisy, queries),
                    fingerprint.bitsWithoutDistribution() / n,
                    stream.rate(fingerprint, queries),
                    bestBloom,
                    bloom.sizeInBits() / n,
                    stream.rate(bloom, queries),
                    known.sizeInBits() / n);
        }
        Plot plot = new Plot(
                "",
                Plot.Axis.linear("Zipf's exponent of the inserts"),
                Plot.Axis.linear("bits a draw"),
                List.of(
                        Series.ours("daisy", daisyBits),
                        Series.ours("daisy-fingerprint", fingerprintBits),
                        Series.ours("bloom", bloomBits),
                        new Series("daisy, LB / ln 2", Series.Origin.THEORY, formula),
                        new Series("lower bound, LB", Series.Origin.THEORY, bound),
                        new Series("bloom, best", Series.Origin.THEORY, bloomFormula)));
        return new Findings(
                Map.of(
                        "draws", "" + draws,
                        "universe", "" + universe,
                        "rate asked for", "" + FPP,
                        "queries", "" + queries),
                List.of(plot),
                table.end());
    }

    private static PersistentFilter make(String kind, FilterSpec spec, Distribution known) {
        return Filters.makeHashFilter(Filters.kind(kind), spec, known);
    }
}
