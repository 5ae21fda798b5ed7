package dev.besom.compact;

import dev.besom.FilterSpec;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How large the blocks of a TinySet are and how many keys they are planned for.
 *
 * @param form how blocks are laid out
 * @param blockBits of a block, index and flags or counter included
 * @param chains of a block
 * @param keysPerBlock on average, when the filter is full
 */
record TinySetShape(BlockForm form, int blockBits, int chains, double keysPerBlock) {

    static final Map<String, String> OPTIONS = Map.of(
            "preset", "blocks of 64B or 32B, or for 16I, 32I, 64I or 128I keys each; or smallest",
            "chains", "chains of a block, 8 to 128",
            "blockBits", "bits of a block, 96 to 8192, whatever the preset",
            "keysPerBlock", "planned keys of a block, 1 to 1000, if they keep the rate",
            "widths", "widths of fingerprints in a block: one, or two, the default",
            "counter", "of slots in a block: implicit, or explicit with one width");

    private static final double MOST_KEYS = 1000;

    private static final String SMALLEST = "smallest";

    /** The logarithm of how likely a filter may refuse a key at its planned load. */
    private static final double LOG_NEGLIGIBLE = Math.log(1e-9);

    private static final double FEWER_KEYS = 0.99;

    /** The configurations that the paper names. */
    enum Preset {
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
        String label() {
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
        BlockForm form = BlockForm.of(
                Optional.ofNullable(spec.options().get("counter")),
                Optional.ofNullable(spec.options().get("widths")));
        int chains = (int) spec.option("chains", 0, BlockForm.FEWEST_CHAINS, ChainBlock.MAX_CHAINS);
        int blockBits = (int) spec.option("blockBits", 0, BlockForm.LEAST_BLOCK_BITS, BlockForm.MOST_BLOCK_BITS);
        double keys = spec.option("keysPerBlock", 0.0, 1, MOST_KEYS);
        if (preset.equals(SMALLEST)) {
            if (chains != 0 || blockBits != 0 || keys != 0) {
                throw new IllegalArgumentException("the preset " + SMALLEST
                        + " chooses chains, blockBits and keysPerBlock itself: leave these options out");
            }
            return smallest(form, spec.fpp());
        }
        Preset named = Arrays.stream(Preset.values())
                .filter(one -> one.label.equals(preset))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option preset must be "
                        + Stream.of(Preset.values()).map(Preset::label).collect(Collectors.joining(", ")) + " or "
                        + SMALLEST + ", not '" + preset + "'"));
        int bits = blockBits != 0 ? blockBits : named.blockBits;
        return new TinySetShape(
                        form,
                        bits,
                        chains != 0 ? chains : form.chains(bits, named.chains),
                        keys != 0 || named.blockBits != 0 ? keys : named.chains)
                .completedFor(spec.fpp());
    }

    /** The smallest of the paper's configurations for a rate that have blocks of at most 64 keys or 64 bytes. */
    static TinySetShape smallest(BlockForm form, double fpp) {
        return Stream.of(
                        new TinySetShape(form, 512, form.chains(512, 64), 0),
                        new TinySetShape(form, 512, 80, 0),
                        new TinySetShape(form, 256, form.chains(256, 32), 0),
                        new TinySetShape(form, 0, 32, 32),
                        new TinySetShape(form, 0, 64, 64))
                .map(shape -> shape.completedFor(fpp))
                .min(Comparator.comparingDouble(TinySetShape::bitsPerKey))
                .orElseThrow();
    }

    /** The shape of a preset for a rate. */
    static TinySetShape of(Preset preset, double fpp) {
        int keys = preset.blockBits == 0 ? preset.chains : 0;
        return new TinySetShape(BlockForm.PLANES, preset.blockBits, preset.chains, keys).completedFor(fpp);
    }

    /** This shape with the number that is 0, of bits or of keys, as the rate has it. */
    private TinySetShape completedFor(double fpp) {
        TinySetShape shape = blockBits == 0 ? withBitsFor(fpp) : this;
        if (!form.isPossible(shape.blockBits, chains)) {
            throw new IllegalArgumentException("option blockBits must be "
                    + (form.unit() == 1 ? "" : "a multiple of " + form.unit() + " ")
                    + "from " + form.leastBlockBits(chains) + " to "
                    + BlockForm.MOST_BLOCK_BITS + ", not " + shape.blockBits);
        }
        if (keysPerBlock == 0) {
            double keys = TinySetMath.keysPerBlock(shape.layout()::rateOf, shape.blockBits, fpp);
            shape = shape.withKeys(keys);
            while (!shape.hasRoom()) {
                shape = shape.withKeys(FEWER_KEYS * shape.keysPerBlock);
            }
        }
        shape.requireRate(fpp);
        return shape;
    }

    private TinySetShape withKeys(double keys) {
        return new TinySetShape(form, blockBits, chains, keys);
    }

    private TinySetShape withBits(int bits) {
        return new TinySetShape(form, bits, chains, keysPerBlock);
    }

    /** The smallest blocks in which the keys have room and keep the rate. */
    private TinySetShape withBitsFor(double fpp) {
        int unit = form.unit();
        int few = form.leastBlockBits(chains) / unit;
        int many = BlockForm.MOST_BLOCK_BITS / unit;
        while (few < many) {
            int middle = (few + many) >>> 1;
            TinySetShape shape = withBits(middle * unit);
            if (shape.rate() <= fpp && shape.hasRoom()) {
                many = middle;
            } else {
                few = middle + 1;
            }
        }
        return withBits(few * unit);
    }

    private double rate() {
        return TinySetMath.fpp(layout()::rateOf, keysPerBlock);
    }

    private void requireRate(double fpp) {
        double rate = rate();
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
        return TinySetMath.logOverflow(Integer.MAX_VALUE, keysPerBlock, layout().mostSlots()) <= LOG_NEGLIGIBLE;
    }

    BlockLayout layout() {
        return form.layout(blockBits, chains);
    }

    /** The memory that a key takes. */
    double bitsPerKey() {
        return blockBits / keysPerBlock;
    }
}
