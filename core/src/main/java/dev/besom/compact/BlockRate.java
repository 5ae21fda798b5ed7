package dev.besom.compact;

/** How often a block is wrong, exactly, for chains and fingerprints drawn evenly. */
final class BlockRate {

    private static final int BOTH = 3;

    private final ChainBlock layout;
    private final long[] words;
    private final long at;
    private final int slots;
    private final int flags;
    /** Bits of the fingerprints behind the cut; those before it have one more. */
    private final int width;

    private final int cut;

    private BlockRate(ChainBlock layout, long[] words, long at, int slots) {
        this.layout = layout;
        this.words = words;
        this.at = at;
        this.slots = slots;
        this.flags = layout.flags(words, at);
        int end = layout.usedBits(slots, flags);
        this.width = end / slots - 1;
        this.cut = end % slots;
    }

    /** The chance that a fresh chain and fingerprint match a slot of the block. */
    static double of(ChainBlock layout, long[] words, long at) {
        int slots = layout.slots(words, at);
        return slots == 0 ? 0 : new BlockRate(layout, words, at, slots).rate();
    }

    private double rate() {
        double narrow = Math.scalb(1.0, -width);
        double sum = 0;
        int start = 0;
        int chainCount = layout.chainCount(words, at);
        for (int chain = 1; chain <= chainCount; chain++) {
            int next = layout.slotBehind(words, at, chain);
            if (next - start == 1) {
                sum += isSharp(start) ? narrow / 2 : narrow;
            } else {
                sum += narrow / 2 * covered(start, next);
            }
            start = next;
        }
        return sum / layout.chains;
    }

    /** Whether a slot has a bit in the cut plane, and it counts. */
    private boolean isSharp(int slot) {
        return slot < cut && (flags == 0 || layout.hasOneInCutPlane(words, at, slots, flags, slot));
    }

    /** How many fingerprints of {@code width + 1} bits match one of the slots of a chain. */
    private int covered(int start, int end) {
        int[] lows = new int[end - start];
        int[] halves = new int[end - start];
        int covered = 0;
        for (int i = 0; i < lows.length; i++) {
            int fingerprint = layout.fingerprint(words, at, slots, flags, start + i);
            lows[i] = width == ChainBlock.WIDEST ? fingerprint : fingerprint & ~(-1 << width);
            halves[i] = isSharp(start + i) ? 1 << (fingerprint >>> width & 1) : BOTH;
            int fresh = halves[i];
            for (int earlier = 0; earlier < i; earlier++) {
                if (lows[earlier] == lows[i]) {
                    fresh &= ~halves[earlier];
                }
            }
            covered += Integer.bitCount(fresh);
        }
        return covered;
    }
}
