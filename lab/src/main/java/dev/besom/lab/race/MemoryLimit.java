package dev.besom.lab.race;

import dev.besom.MembershipFilter;
import dev.besom.bits.FastRange;
import java.util.Arrays;

/**
 * No filter, but the bound for filters that touch memory at one random place a query: each query reads one word of
 * one random cache line out of a given number of bytes, and does nothing else. It answers "maybe" to everything, so
 * only its times mean something.
 */
final class MemoryLimit implements MembershipFilter {

    private static final int LINE_WORDS = 8;

    private final long[] words;
    private final long lines;
    private final long keyCount;

    MemoryLimit(long sizeInBits, long keyCount) {
        this.lines = Math.max(1, (sizeInBits + LINE_WORDS * Long.SIZE - 1) / (LINE_WORDS * Long.SIZE));
        this.words = new long[Math.toIntExact(lines * LINE_WORDS)];
        this.keyCount = keyCount;
        Arrays.fill(words, -1);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return words[(int) FastRange.place(hash, lines) * LINE_WORDS] != 0;
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                long read = words[(int) FastRange.place(hashes[from + base + lane], lines) * LINE_WORDS];
                word |= (read & 1) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    public long count() {
        return keyCount;
    }

    @Override
    public long sizeInBits() {
        return lines * LINE_WORDS * Long.SIZE;
    }

    @Override
    public double expectedFpp() {
        return 1;
    }
}
