package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.stored.MemoryHashes;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineQueriesTest {

    /** So few bits of a key differ from a stored one's that it is in the same run, or has the same remainder. */
    private static final int BITS_NEAR = 20;

    @ParameterizedTest
    @CsvSource({"3000, 0.00390625", "40, 0.00390625", "3000, 0.01", "3000, 0.0625", "3000, 0.03", "3000, 0.002"})
    void bothWaysFindAPrefixExactlyIfThereIsOne(int keyCount, double fpp) {
        SplittableRandom random = new SplittableRandom(keyCount * 31L + Double.hashCode(fpp));
        long[] keys = random.longs(keyCount).toArray();
        for (int i = 0; i < keyCount / 16; i++) {
            // Crowds: runs of more slots than a word has, and look-alikes with long extensions.
            keys[i] = keys[i & ~15] ^ random.nextLong() >>> (random.nextInt(4) == 0 ? 20 : 14);
        }
        MemoryHashes stored = new MemoryHashes();
        BroomFilter filter = BroomFilter.make(FilterSpec.of(keyCount, fpp), stored);
        if (!(filter.table instanceof BroomTable table)) {
            return;
        }
        try {
            for (long key : keys) {
                filter.insertHash(key);
                stored.add(key);
            }
        } catch (FilterFullException e) {
            // Crowds are more than is planned for; the pages are as full as they can be.
        }
        for (int i = 0; i < 20 * keyCount; i++) {
            long hash = i % 2 == 0 ? random.nextLong() : near(keys[random.nextInt(keyCount)], random);
            if (filter.mightContainHash(hash) && !stored.contains(hash)) {
                filter.repairHash(hash);
            }
            assertAnswers(table, hash);
        }
        for (long key : keys) {
            assertAnswers(table, key);
        }
    }

    private static long near(long key, SplittableRandom random) {
        return key ^ 1L << (Long.SIZE - 1 - random.nextInt(BITS_NEAR)) ^ random.nextLong() >>> BITS_NEAR;
    }

    private static void assertAnswers(BroomTable table, long hash) {
        boolean expected = hasPrefix(table, hash);
        assertThat(table.queries.mightContainByValue(hash)).isEqualTo(expected);
        if (table.remainderBits == Byte.SIZE) {
            assertThat(table.queries.mightContainByRun(hash)).isEqualTo(expected);
        }
    }

    private static boolean hasPrefix(BroomTable table, long hash) {
        LookAlikes alike = new LookAlikes(table, hash);
        for (int i = 0; i < alike.slotCount(); i++) {
            if (alike.isPrefix(i, hash)) {
                return true;
            }
        }
        return false;
    }
}
