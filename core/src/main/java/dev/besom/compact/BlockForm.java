package dev.besom.compact;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The ways in which blocks can be laid out, by the two options that the paper leaves open. */
enum BlockForm {
    /** Nobody counts slots, and the bits that are left over go to the first of them: sections 3.4 and 3.6. */
    PLANES(2, "implicit", "two"),
    /** Nobody counts slots, and all fingerprints of a block have one width: section 3.6 without 3.4. */
    EVEN_PLANES(3, "implicit", "one"),
    /** Slots are counted, and all fingerprints of a block have one width: section 3.3. */
    COUNTED(4, "explicit", "one");

    /** The numbers of forms in files lie between these. */
    static final int FIRST = 2;

    static final int LAST = 4;

    static final int FEWEST_CHAINS = 8;
    static final int LEAST_BLOCK_BITS = 96;
    static final int MOST_BLOCK_BITS = 8192;

    /** Bits of a block in planes that are neither index nor array. */
    private static final int FLAGS = 1;

    private final int number;
    private final String counter;
    private final String widths;

    BlockForm(int number, String counter, String widths) {
        this.number = number;
        this.counter = counter;
        this.widths = widths;
    }

    /**
     * The form with a counter and widths as options name them; what is left out follows from the other.
     *
     * @throws IllegalArgumentException if there is no such form
     */
    static BlockForm of(Optional<String> counter, Optional<String> widths) {
        check("counter", counter, Stream.of(values()).map(form -> form.counter));
        check("widths", widths, Stream.of(values()).map(form -> form.widths));
        return Stream.of(values())
                .filter(form -> form.counter.equals(counter.orElse(form.counter)))
                .filter(form -> form.widths.equals(widths.orElse(form.widths)))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "blocks with the option counter=explicit have fingerprints of one width: leave widths=two out"));
    }

    private static void check(String option, Optional<String> value, Stream<String> known) {
        List<String> names = known.distinct().toList();
        if (value.isPresent() && !names.contains(value.get())) {
            throw new IllegalArgumentException(
                    "option " + option + " must be " + String.join(" or ", names) + ", not '" + value.get() + "'");
        }
    }

    /** The form with a number that {@link #number()} gave. */
    static BlockForm of(long number) {
        return Stream.of(values())
                .filter(form -> form.number == number)
                .findFirst()
                .orElseThrow();
    }

    /** What files call it. */
    long number() {
        return number;
    }

    /** What messages call it. */
    String label() {
        return counter + " counter, " + widths + (widths.equals("one") ? " width" : " widths");
    }

    BlockLayout layout(int blockBits, int chains) {
        return this == COUNTED
                ? new CountedBlock(blockBits, chains)
                : new ChainBlock(blockBits, chains, this == PLANES);
    }

    /** Blocks have a multiple of so many bits. */
    int unit() {
        return this == COUNTED ? Long.SIZE : 1;
    }

    /** The chains of a preset's block of a fixed size: where they are counted, the counter shares a word with the index. */
    int chains(int blockBits, int chains) {
        return this == COUNTED && blockBits != 0 ? chains - CountedBlock.counterBits(blockBits) : chains;
    }

    /** With fewer bits a block has no room for slots. */
    int leastBlockBits(int chains) {
        if (this != COUNTED) {
            return Math.max(LEAST_BLOCK_BITS, chains + Long.SIZE + FLAGS);
        }
        int bits = 2 * Long.SIZE;
        while (new CountedBlock(bits, chains).mostSlots() == 0) {
            bits += Long.SIZE;
        }
        return bits;
    }

    boolean isPossible(long blockBits, long chains) {
        return chains >= FEWEST_CHAINS
                && chains <= ChainBlock.MAX_CHAINS
                && blockBits <= MOST_BLOCK_BITS
                && blockBits >= leastBlockBits((int) chains)
                && blockBits % unit() == 0;
    }
}
