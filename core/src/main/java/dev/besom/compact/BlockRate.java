package dev.besom.compact;

/** How often a block is wrong, exactly, for chains and fingerprints drawn evenly. */
final class BlockRate {

    private static final int BOTH = 3;

    private BlockRate() {}

    /** The chance that a fresh chain and fingerprint match a slot of the block. */
    static double of(ChainBlock layout, long[] words, long at) {
        int flags = layout.flags(words, at);
        int slots = layout.slots(words, at);
        if (slots == 0) {
            return 0;
        }
        int end = layout.usedBits(slots, flags);
        int width = end / slots - 1;
        int cut = end % slots;
        double narrow = Math.scalb(1.0, -width);
        double sum = 0;
        int start = 0;
        int chainCount = layout.chainCount(words, at);
        for (int chain = 1; chain <= chainCount; chain++) {
            int next = layout.slotBehind(words, at, chain);
            if (next - start == 1) {
                sum += start < cut && isSharp(layout, words, at, slots, flags, start) ? narrow / 2 : narrow;
            } else {
                sum += narrow / 2 * covered(layout, words, at, slots, flags, start, next, width, cut);
            }
            start = next;
        }
        return sum / layout.chains;
    }

    /** Whether the bit of a slot in the cut plane counts. */
    private static boolean isSharp(ChainBlock layout, long[] words, long at, int slots, int flags, int slot) {
        return flags == 0 || layout.hasOneInCutPlane(words, at, slots, flags, slot);
    }

    /** How many fingerprints of {@code width + 1} bits match one of the slots of a chain. */
    private static int covered(
            ChainBlock layout, long[] words, long at, int slots, int flags, int start, int end, int width, int cut) {
        int[] lows = new int[end - start];
        int[] halves = new int[end - start];
        int covered = 0;
        for (int i = 0; i < lows.length; i++) {
            int slot = start + i;
            int fingerprint = layout.fingerprint(words, at, slots, flags, slot);
            boolean sharp = slot < cut && isSharp(layout, words, at, slots, flags, slot);
            lows[i] = width == ChainBlock.WIDEST ? fingerprint : fingerprint & ~(-1 << width);
            halves[i] = sharp ? 1 << (fingerprint >>> width & 1) : BOTH;
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
