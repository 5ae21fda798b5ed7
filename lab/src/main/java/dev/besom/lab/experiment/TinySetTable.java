package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.compact.TinySetMath;
import dev.besom.compact.TinySetMath.Widths;
import dev.besom.lab.workload.KeySpace;
import dev.besom.math.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * The tables of the TinySet paper that say how many bits a key takes at rates of 1 %, 0.1 % and 0.01 %. Filters are made
 * for the rate, filled to the number of keys they are planned for, and asked for other keys, so that the bits are those
 * of filters that keep their rate.
 *
 * <p>Departures: a TinySet block here pays for removals once it has seen one. For Table 4 each key is taken out and put
 * in again, which brings all blocks to where the paper's are from the start. The paper's rank-indexed hashing counts equal keys
 * and takes 2.4 bits a key more for it; Besom's stores them twice. The one with counters is computed: slots with a counter of two bits
 * are slots of fingerprints that are two bits longer, whose table is made and filled, and whose rate is a quarter. The memory of every filter is all that it
 * takes; the paper seems to leave out the list of a balanced filter and the counts of its blocks. Fingerprints of d-left tables have whole bits, so that their rates are lower than
 * asked.
 */
final class TinySetTable implements Experiment {

    private final String number;
    private final String title;
    private final String toSee;
    private final List<Row> rows;

    /**
     * A filter of a table.
     *
     * @param name in the table
     * @param options by rate
     * @param fill how its keys come
     * @param paperBits what the paper has at the three rates; empty if nothing
     */
    private record Row(
            String name, String kind, DoubleFunction<Map<String, String>> options, Fill fill, List<Double> paperBits) {

        static Row of(String name, String kind, Map<String, String> options, Double... paperBits) {
            return new Row(name, kind, fpp -> options, Fill.ONCE, List.of(paperBits));
        }

        static Row replaced(String name, String kind, Double... paperBits) {
            return new Row(name, kind, fpp -> Map.of(), Fill.REPLACED, List.of(paperBits));
        }
    }

    /** How keys come, and what a slot holds beside its fingerprint. */
    private enum Fill {
        ONCE,
        /** Each key is taken out and put in again. */
        REPLACED,
        /** A slot has a counter of two bits, in the place of as many bits of a longer fingerprint. */
        COUNTED;

        /** How many times as many false positives there are as a table of the same slots without counters has. */
        int rateFactor() {
            return this == COUNTED ? 4 : 1;
        }
    }

    private TinySetTable(String number, String title, String toSee, List<Row> rows) {
        this.number = number;
        this.title = title;
        this.toSee = toSee;
        this.rows = rows;
    }

    /** Blocks for different numbers of keys. */
    static TinySetTable one() {
        return new TinySetTable(
                "1",
                "TinySet with as many keys as chains",
                "Blocks for 16 to 128 keys, with as many chains as keys.",
                List.of(
                        preset("16I", 10.1, 15.1, 19.5),
                        preset("32I", 9.5, 13.5, 17.5),
                        preset("64I", 9.1, 12.8, 16.6),
                        preset("128I", 9.0, 12.5, 16.2)));
    }

    /** Without removals. */
    static TinySetTable three() {
        return new TinySetTable(
                "3",
                "Bits a key without removals",
                "TinySet beside a Bloom filter and rank-indexed hashing, each key once.",
                List.of(
                        preset("64I", 9.1, 12.8, 16.6),
                        Row.of("rank-indexed", "rank-indexed", Map.of("copies", "1"), 10.6, 14.4, 18.2),
                        Row.of("bloom", "bloom", Contestant.BITS_ANYWHERE, 9.6, 14.4, 19.1)));
    }

    /** With removals. */
    static TinySetTable four() {
        DoubleFunction<Map<String, String>> sized = fpp -> Map.of(
                "blockBits",
                Integer.toString(TinySetMath.arrayBits(64, 64, fpp, Widths.TWO_AFTER_REMOVALS) + 64 + 2),
                "chains",
                "64",
                "keysPerBlock",
                "64");
        return new TinySetTable(
                "4",
                "Bits a key with removals",
                "Each key was taken out and put in again. The paper's rank-indexed hashing has counters, Besom's stores equal"
                        + " keys twice; the one with counters is computed. What removals leave behind in TinySet is in"
                        + " Figure 15.",
                List.of(
                        new Row("tinyset 64I", "tinyset", sized, Fill.REPLACED, List.of(9.5, 13.2, 16.9)),
                        new Row(
                                "rank-indexed, with counters",
                                "rank-indexed",
                                fpp -> Map.of("copies", "1"),
                                Fill.COUNTED,
                                List.of(13.0, 16.8, 20.6)),
                        Row.replaced("rank-indexed", "rank-indexed"),
                        Row.replaced("dleft-counting", "dleft-counting", 17.6, 22.3, 26.4),
                        Row.replaced("vi-counting-bloom", "vi-counting-bloom", 25.0, 37.8, 50.0)));
    }

    /** Blocks of a cache line. */
    static TinySetTable five() {
        return new TinySetTable(
                "5",
                "Bits a key with blocks of 64 bytes",
                "Blocks of a cache line: a query reads one, where a Bloom filter reads many.",
                List.of(
                        Row.of("tinyset 64B, 80 chains", "tinyset", Map.of("chains", "80"), 9.1),
                        Row.of("tinyset 64B, 64 chains", "tinyset", Map.of(), 9.2, 13.1, 17.7),
                        Row.of("bloom", "bloom", Contestant.BITS_ANYWHERE, 9.6, 14.4, 19.1)));
    }

    /** Blocks of half a cache line. */
    static TinySetTable six() {
        return new TinySetTable(
                "6",
                "Bits a key with blocks of 32 bytes",
                "TinySet beside Bloom filters that read one block of 32 bytes. All memory counts, that of the balanced filter's"
                        + " list and counts too, as in Figure 13.",
                List.of(
                        preset("32B", 9.5, 14.0, 19.6),
                        Row.of("balanced-bloom", "balanced-bloom", Map.of(), 10.4, 17.0, 24.0),
                        Row.of("blocked-bloom 32B", "blocked-bloom", Map.of("blockBits", "256"), 10.9, 17.4, 27.5)));
    }

    private static Row preset(String preset, Double... paperBits) {
        return Row.of("tinyset " + preset, "tinyset", Map.of("preset", preset), paperBits);
    }

    @Override
    public Description description() {
        return new Description("tinyset-table-" + number, title, TinySetPaper.CITATION, "Table " + number, toSee);
    }

    @Override
    public Findings run(Conditions conditions) {
        int keyCount = conditions.choose(40_000, 1_000_000);
        int queries = conditions.choose(500_000, 20_000_000);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored(keyCount);
        List<Series> series = new ArrayList<>();
        ResultTable.Builder table = ResultTable.columns(
                "filter", "rate asked for", "bits a key", "bits in the paper", "difference in %", "rate measured");
        for (Row row : rows) {
            conditions.progress("tinyset-table-" + number + ", " + row.name);
            List<Series.Point> points = new ArrayList<>();
            double[] printed = new double[2 * row.paperBits.size()];
            for (int i = 0; i < TinySetPaper.RATES.length; i++) {
                double fpp = TinySetPaper.RATES[i];
                Contestant contestant = new Contestant(row.name, row.kind, row.options.apply(fpp));
                int factor = row.fill.rateFactor();
                FilterSpec spec = FilterSpec.of(keyCount, fpp / factor).withSeed(conditions.seed());
                InsertableFilter filter = TinySetPaper.fill(contestant, spec, keys);
                if (row.fill == Fill.REPLACED) {
                    TinySetPaper.replaceAll(filter, keys);
                }
                double bits = filter.sizeInBits() / (double) keyCount;
                points.add(new Series.Point(fpp, bits));
                Object paper = "";
                Object difference = "";
                if (i < row.paperBits.size()) {
                    double paperBits = row.paperBits.get(i);
                    printed[2 * i] = fpp;
                    printed[2 * i + 1] = paperBits;
                    paper = paperBits;
                    difference = String.format(Locale.ROOT, "%+.1f", 100 * (bits / paperBits - 1));
                }
                table.row(row.name, fpp, bits, paper, difference, factor * TinySetPaper.rate(filter, space, queries));
            }
            series.add(
                    new Series(row.name, row.fill == Fill.COUNTED ? Series.Origin.THEORY : Series.Origin.OURS, points));
            if (printed.length > 0) {
                series.add(Series.paper(row.name, printed));
            }
        }
        series.add(Series.theory("lower bound", TinySetPaper.RATES, Entropy::bitsPerKey));
        Plot plot = new Plot("", Plot.Axis.logarithmic("false-positive rate"), Plot.Axis.linear("bits a key"), series);
        return new Findings(
                Map.of(
                        "keys", String.format(Locale.ROOT, "%,d", keyCount),
                        "queries", String.format(Locale.ROOT, "%,d", queries)),
                List.of(plot),
                table.end());
    }
}
