package dev.besom.lab.experiment;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.compact.TinySetMath;
import dev.besom.lab.workload.KeySpace;
import java.util.Map;

/**
 * What the experiments of the TinySet paper share.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015.
 */
final class TinySetPaper {

    static final String CITATION = "G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter"
            + " construction. ICCCN 2015";

    /** The rates of the paper's tables. */
    static final double[] RATES = {0.01, 0.001, 0.0001};

    private TinySetPaper() {}

    /** TinySet in one of the paper's configurations. */
    static Contestant preset(String preset) {
        return new Contestant("tinyset " + preset, "tinyset", Map.of("preset", preset));
    }

    /** TinySet with blocks of any size and load. */
    static Contestant blocks(int blockBits, int chains, double keysPerBlock) {
        return new Contestant(
                "tinyset, " + chains + " chains",
                "tinyset",
                Map.of(
                        "blockBits", Integer.toString(blockBits),
                        "chains", Integer.toString(chains),
                        "keysPerBlock", Double.toString(keysPerBlock)));
    }

    /** The rate of TinySet blocks by the formula. */
    static double fpp(int blockBits, int chains, double keysPerBlock) {
        return TinySetMath.fpp(blockBits - chains - 1, chains, keysPerBlock, TinySetMath.Widths.TWO);
    }

    static InsertableFilter fill(Contestant contestant, FilterSpec spec, long[] keys) {
        InsertableFilter filter = contestant.make(spec, StoredHashes.none());
        filter.insertHashes(keys, 0, keys.length);
        return filter;
    }

    /** Takes each key out and puts it in again: what a removal costs is then paid, and the keys are the same. */
    static void replaceAll(InsertableFilter filter, long[] keys) {
        if (filter instanceof DeletableFilter deletable) {
            for (long key : keys) {
                deletable.deleteHash(key);
                deletable.insertHash(key);
            }
        }
    }

    static double rate(MembershipFilter filter, KeySpace space, int queries) {
        return ClassicRateByKeys.rate(filter, space, queries);
    }
}
