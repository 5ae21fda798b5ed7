package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.lab.peer.EqualMemory;
import dev.besom.lab.peer.PaperTelescoping;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Map;

/**
 * A kind of filter with options, and a way to give several of them the same memory.
 *
 * @param label what it is called in plots
 * @param kind the kind's name
 * @param options the kind's options
 */
record Contestant(String label, String kind, Map<String, String> options) {

    /** In place of a kind: the telescoping filter as its paper has it. */
    static final String PAPER_TELESCOPING = "paper:telescoping";

    /** The option with which the bits of a Bloom filter lie anywhere, as the papers have it. */
    static final Map<String, String> BITS_ANYWHERE = Map.of("scheme", "enhanced-double");

    Contestant {
        options = Map.copyOf(options);
    }

    /** Whether it may move hashes, so that it needs stored hashes of its own. */
    boolean movesHashes() {
        return kind.equals("broom");
    }

    static Contestant of(String kind) {
        return new Contestant(kind, kind, Map.of());
    }

    /** The Bloom filter of the papers: what it answers and takes is the textbook's; Besom's own form is faster. */
    static Contestant textbookBloom() {
        return new Contestant("bloom", "bloom", BITS_ANYWHERE);
    }

    /** An empty filter. */
    InsertableFilter make(FilterSpec spec, StoredHashes stored) {
        if (kind.equals(PAPER_TELESCOPING)) {
            return new PaperTelescoping(spec.capacity(), spec.seed());
        }
        return insertable(Filters.kind(kind).make(withOptions(spec), stored));
    }

    /**
     * The filter of the lowest planned rate that takes no more memory than given for so many keys; to count what it answers.
     *
     * @throws IllegalArgumentException if every one takes more
     */
    InsertableFilter make(long keys, long mostBits, long seed, StoredHashes stored) {
        if (kind.equals(PAPER_TELESCOPING)) {
            return PaperTelescoping.forCounts(keys, seed);
        }
        Kind made = Filters.kind(kind);
        FilterSpec spec = withOptions(FilterSpec.of(keys, 0.5).withSeed(seed));
        return insertable(made.make(EqualMemory.fit(made, spec, mostBits), stored));
    }

    private FilterSpec withOptions(FilterSpec spec) {
        return new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), options);
    }

    private InsertableFilter insertable(PersistentFilter filter) {
        if (filter instanceof InsertableFilter insertable) {
            return insertable;
        }
        throw new IllegalArgumentException("kind " + kind + " takes no keys one by one");
    }
}
