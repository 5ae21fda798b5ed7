package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the experiments of the telescoping paper share: its filters at a load of 0.95, all in the memory that the
 * telescoping filter takes with remainders of 8 bits.
 *
 * <p>Departures: a block's code has 64 bits here and 56 in the paper, so that a key takes 11.7 bits and not 11.6. Blocks
 * that run full are not given more memory ({@code spill=0}). The paper's own filter takes part as it is described there, beside
 * Besom's kinds.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021.
 */
final class TelescopingPaper {

    static final String CITATION =
            "D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021";

    static final int REMAINDER_BITS = 8;
    static final double LOAD = 0.95;

    /** Up to here the paper finds that its filter keeps its repairs. */
    static final Plot.Mark LIMIT_MARK = new Plot.Mark(20, "paper: TAF good up to about 20");

    /** The paper's filter: its TAF. */
    static final Contestant COMPACT =
            new Contestant("telescoping-compact", "telescoping-compact", Map.of("spill", "0"));

    /** The paper's exAF. */
    static final Contestant EXTENSION =
            new Contestant("extension", "extension", Map.of("spill", "0", "code", "enumerative"));

    static final Contestant TELESCOPING = new Contestant("telescoping", "telescoping", Map.of("spill", "0"));
    static final Contestant QUOTIENT = Contestant.of("quotient");
    static final Contestant BLOOM = Contestant.textbookBloom();

    /** The paper's TAF as the paper has it. */
    static final Contestant PAPER = new Contestant("the paper's TAF", Contestant.PAPER_TELESCOPING, Map.of());

    static final Contestant BROOM = Contestant.of("broom");

    /** The paper's ACFs: in the same memory, 11 bits a slot, of which the cyclic one uses some for selectors. */
    private static final List<Contestant> CUCKOO = List.of(
            cyclic(1), cyclic(2), cyclic(3), Contestant.of("cuckoo-swapping"), Contestant.of("cuckoo-cuckooing"));

    static final List<Contestant> IN_EQUAL_SPACE = Stream.concat(
                    Stream.of(BLOOM, QUOTIENT, PAPER, COMPACT, TELESCOPING, EXTENSION, BROOM), CUCKOO.stream())
            .toList();

    private static Contestant cyclic(int selectorBits) {
        return new Contestant(
                "cuckoo-cyclic, s = " + selectorBits,
                "cuckoo-cyclic",
                Map.of("selectors", Integer.toString(selectorBits)));
    }

    private TelescopingPaper() {}

    /** The memory that every filter for so many keys gets. */
    static long bitsFor(long keys) {
        Contestant reference = new Contestant(
                COMPACT.label(),
                COMPACT.kind(),
                Map.of("spill", "0", "remainderBits", Integer.toString(REMAINDER_BITS), "load", Double.toString(LOAD)));
        return reference.make(FilterSpec.of(keys, 0.5), StoredHashes.none()).sizeInBits();
    }

    /** The chance that a fresh query is a false positive of the paper's filter. */
    static double freshRate() {
        return -Math.expm1(-LOAD * Math.scalb(1.0, -REMAINDER_BITS));
    }
}
