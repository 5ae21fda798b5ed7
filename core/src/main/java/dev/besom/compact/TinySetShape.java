package dev.besom.compact;

import dev.besom.FilterSpec;
import dev.besom.compact.TinySetMath.Widths;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How large the blocks of a TinySet are and how many keys they are planned for.
 *
 * @param blockBits of a block, index and flags included
 * @param chains of a block
 * @param keysPerBlock on average, when the filter is full
 */
public record TinySetShape(int blockBits, int chains, double keysPerBlock) {

    static final Map<String, String> OPTIONS = Map.of(
            "preset", "blocks of 64B or 32B, or for 16I, 32I, 64I or 128I keys each; or smallest",
            "chains", "chains of a block, 8 to 128",
            "blockBits", "bits of a block, 96 to 8192, whatever the preset",
            "keysPerBlock", "planned keys of a block, 1 to 1000, if they keep the rate");

    private static final int FEWEST_CHAINS = 8;
    private static final int LEAST_BLOCK_BITS = 96;
    private static final int MOST_BLOCK_BITS = 8192;
    private static final double MOST_KEYS = 1000;

    /** Bits of a block that are neither index nor array. */
    private static final int FLAGS = 1;

    private static final String SMALLEST = "smallest";

    /** The logarithm of how likely a filter may refuse a key at its planned load. */
    private static final double LOG_NEGLIGIBLE = Math.log(1e-9);

    private static final double FEWER_KEYS = 0.99;

    /** The configurations that the paper names. */
    public enum Preset {
        /** A cache line, and its index one word: Table 5. */
        LINE("64B", 512, 64),
        /** Half a cache line: Table 6. */
        HALF_LINE("32B", 256, 32),
        /** As many keys as chains, here 16, and blocks of any size: Table 1. */
        KEYS_16("16I", 0, 16),
        /** The same with 32. */
        KEYS_32("32I", 0, 32),
        /** The same with 64. */
        KEYS_64("64I", 0, 64),
        /** The same with 128. */
        KEYS_128("128I", 0, 128);

        private final String label;

        /** 0 where the rate decides. */
        private final int blockBits;

        private final int chains;

        Preset(String label, int blockBits, int chains) {
            this.label = label;
            this.blockBits = blockBits;
            this.chains = chains;
        }

        /** The name in options and on the command line. */
        public String label() {
            return label;
        }
    }

    /**
     * The shape that a spec's options name, or 64-byte blocks; as many keys a block as keep the spec's rate.
     *
     * @throws IllegalArgumentException if blocks as the options say do not keep the rate, or have no room for their keys
     */
    static TinySetShape of(FilterSpec spec) {
        String preset = spec.option("preset", Preset.LINE.label);
        int chains = (int) spec.option("chains", 0, FEWEST_CHAINS, ChainBlock.MAX_CHAINS);
        int blockBits = (int) spec.option("blockBits", 0, LEAST_BLOCK_BITS, MOST_BLOCK_BITS);
        double keys = spec.option("keysPerBlock", 0.0, 1, MOST_KEYS);
        if (preset.equals(SMALLEST)) {
            if (chains != 0 || blockBits != 0 || keys != 0) {
                throw new IllegalArgumentException("the preset " + SMALLEST
                        + " chooses chains, blockBits and keysPerBlock itself: leave these options out");
            }
            return smallest(spec.fpp());
        }
        Preset named = Arrays.stream(Preset.values())
                .filter(one -> one.label.equals(preset))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option preset must be "
                        + Stream.of(Preset.values()).map(Preset::label).collect(Collectors.joining(", ")) + " or "
                        + SMALLEST + ", not '" + preset + "'"));
        return of(
                blockBits != 0 ? blockBits : named.blockBits,
                chains != 0 ? chains : named.chains,
                keys != 0 || named.blockBits != 0 ? keys : named.chains,
                spec.fpp());
    }

    /** The smallest of the paper's configurations for a rate that have blocks of at most 64 keys or 64 bytes. */
    public static TinySetShape smallest(double fpp) {
        return Stream.of(
                        of(512, 64, 0, fpp),
                        of(512, 80, 0, fpp),
                        of(256, 32, 0, fpp),
                        of(0, 32, 32, fpp),
                        of(0, 64, 64, fpp))
                .min(Comparator.comparingDouble(TinySetShape::bitsPerKey))
                .orElseThrow();
    }

    /** The shape of a preset for a rate. */
    public static TinySetShape of(Preset preset, double fpp) {
        return of(preset.blockBits, preset.chains, preset.blockBits == 0 ? preset.chains : 0, fpp);
    }

    /** A shape of which the number that is 0, of bits or of keys, follows from the rate. */
    private static TinySetShape of(int blockBits, int chains, double keysPerBlock, double fpp) {
        int bits = blockBits;
        if (bits == 0) {
            bits = TinySetMath.arrayBits(chains, keysPerBlock, fpp, Widths.TWO) + chains + FLAGS;
            bits = Math.max(bits, chains + Long.SIZE + FLAGS);
            while (bits < MOST_BLOCK_BITS && !new TinySetShape(bits, chains, keysPerBlock).hasRoom()) {
                bits++;
            }
        }
        if (!isPossible(bits, chains)) {
            throw new IllegalArgumentException(
                    "option blockBits must be from " + Math.max(LEAST_BLOCK_BITS, chains + Long.SIZE + FLAGS) + " to "
                            + MOST_BLOCK_BITS + ", not " + bits);
        }
        double keys = keysPerBlock;
        if (keys == 0) {
            keys = TinySetMath.keysPerBlock(bits - chains - FLAGS, chains, fpp, Widths.TWO);
            while (!new TinySetShape(bits, chains, keys).hasRoom()) {
                keys *= FEWER_KEYS;
            }
        }
        TinySetShape shape = new TinySetShape(bits, chains, keys);
        shape.requireRate(fpp);
        return shape;
    }

    private void requireRate(double fpp) {
        double rate = TinySetMath.fpp(arrayBits(), chains, keysPerBlock, Widths.TWO);
        if (rate > fpp) {
            throw new IllegalArgumentException("blocks of " + blockBits + " bits with " + chains + " chains and "
                    + keysPerBlock + " keys have a rate of " + rate + ", not " + fpp
                    + ": leave blockBits or keysPerBlock out");
        }
        if (!hasRoom()) {
            throw new IllegalArgumentException("blocks of " + blockBits + " bits with " + chains
                    + " chains have no room for " + keysPerBlock + " keys on average");
        }
    }

    /** Whether no block of the largest filter gets more keys than it has slots for, all but surely. */
    private boolean hasRoom() {
        int mostSlots = new ChainBlock(blockBits, chains).mostSlots;
        return TinySetMath.logOverflow(Integer.MAX_VALUE, keysPerBlock, mostSlots) <= LOG_NEGLIGIBLE;
    }

    static boolean isPossible(long blockBits, long chains) {
        return chains >= FEWEST_CHAINS
                && chains <= ChainBlock.MAX_CHAINS
                && blockBits >= Math.max(LEAST_BLOCK_BITS, chains + Long.SIZE + FLAGS)
                && blockBits <= MOST_BLOCK_BITS;
    }

    /** The bits of a block's array while no key was taken out. */
    public int arrayBits() {
        return blockBits - chains - FLAGS;
    }

    /** The memory that a key takes. */
    public double bitsPerKey() {
        return blockBits / keysPerBlock;
    }
}
