package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No geometry that the options allow loses a key, however often keys are replaced and however full blocks get. */
class TinySetGeometryTest {

    private static final int LEAST_BLOCK_BITS = 96;
    private static final int MOST_BLOCK_BITS = 8192;

    private static FilterSpec spec(int chains, int blockBits, int blocks, long seed) {
        return FilterSpec.of(blocks, 0.5)
                .withSeed(seed)
                .with("chains", "" + chains)
                .with("blockBits", "" + blockBits)
                .with("keysPerBlock", "1");
    }

    private static int least(int chains) {
        return Math.max(LEAST_BLOCK_BITS, chains + 65);
    }

    /** Inserts and deletes at random: for a while as many as fit, then as many of one as of the other. */
    private static void replaceKeys(TinySetFilter filter, int steps, SplittableRandom random, String geometry) {
        List<Long> keys = new ArrayList<>();
        int target = 0;
        for (int step = 0; step < steps; step++) {
            if (step % 64 == 0) {
                target = random.nextInt(filter.blockCount() * (filter.blockBits() - filter.chainsPerBlock()));
            }
            if (keys.isEmpty() || (keys.size() < target && random.nextInt(4) != 0)) {
                boolean isRepeated = !keys.isEmpty() && random.nextInt(8) == 0;
                long key = isRepeated ? keys.get(random.nextInt(keys.size())) : random.nextLong();
                try {
                    filter.insertHash(key);
                    keys.add(key);
                } catch (FilterFullException e) {
                    target = keys.size() / 2;
                }
            } else {
                long key = keys.remove(random.nextInt(keys.size()));
                assertThat(filter.deleteHash(key)).as(geometry).isTrue();
            }
            if (step % 32 == 31) {
                assertThat(keys).as(geometry).allMatch(filter::mightContainHash);
            }
        }
        assertThat(keys).as(geometry).allMatch(filter::mightContainHash);
        assertThat(filter.count()).as(geometry).isEqualTo(keys.size());
        filter.checkInvariants();
    }

    private static void check(int chains, int blockBits, int steps) {
        check(spec(chains, blockBits, 3, 31L * chains + blockBits), steps);
    }

    private static void check(FilterSpec spec, int steps) {
        replaceKeys(TinySetFilter.make(spec), steps, new SplittableRandom(spec.seed()), spec.toString());
    }

    private static FilterSpec even(int chains, int blockBits) {
        return spec(chains, blockBits, 3, 31L * chains + blockBits).with("widths", "one");
    }

    private static FilterSpec counted(int chains, int blockBits) {
        return spec(chains, blockBits, 3, 31L * chains + blockBits).with("counter", "explicit");
    }

    @Test
    void blocksOfOneWidthLoseNoKey() {
        for (int chains = 8; chains <= ChainBlock.MAX_CHAINS; chains += 3) {
            for (int more = chains % 4; more < 68; more += 4) {
                check(even(chains, least(chains) + more), 192);
            }
        }
        check(even(64, 129), 5_000);
        check(even(64, 512), 5_000);
        check(even(100, MOST_BLOCK_BITS), 2_000);
    }

    @Test
    void blocksWithACounterLoseNoKey() {
        for (int chains = 8; chains <= ChainBlock.MAX_CHAINS; chains++) {
            for (int blockBits = 320; blockBits <= 704; blockBits += 128) {
                check(counted(chains, blockBits), 192);
            }
        }
        check(counted(8, 128), 5_000);
        check(counted(56, 512), 20_000);
        check(counted(60, 512), 5_000);
        check(counted(64, 512), 5_000);
        check(counted(128, MOST_BLOCK_BITS), 2_000);
    }

    @Tag("thorough")
    @Test
    void everyGeometryOfEveryFormLosesNoKey() {
        for (int chains = 8; chains <= ChainBlock.MAX_CHAINS; chains++) {
            for (int blockBits = least(chains); blockBits < least(chains) + 130; blockBits++) {
                check(even(chains, blockBits), 2_000);
            }
            for (int blockBits = 320; blockBits <= MOST_BLOCK_BITS; blockBits += blockBits / 320 * 64) {
                check(counted(chains, blockBits), 4_000);
            }
        }
    }

    /** Arrays that end with a word, where what is written behind them belongs to the next block. */
    @ParameterizedTest
    @CsvSource({"64,129", "64,193", "128,193", "128,257", "64,512", "128,512", "32,161", "8,137"})
    void geometriesWhoseArraysEndWithAWordLoseNoKey(int chains, int blockBits) {
        check(chains, blockBits, 20_000);
    }

    @Test
    void geometriesOfEveryAlignmentLoseNoKey() {
        for (int chains = 8; chains <= ChainBlock.MAX_CHAINS; chains++) {
            for (int more = chains % 4; more < 68; more += 4) {
                check(chains, least(chains) + more, 192);
            }
        }
    }

    @Test
    void largeBlocksLoseNoKey() {
        SplittableRandom random = new SplittableRandom(71);
        for (int i = 0; i < 40; i++) {
            int chains = 8 + random.nextInt(121);
            check(chains, random.nextInt(least(chains), MOST_BLOCK_BITS + 1), 512);
        }
    }

    @Tag("thorough")
    @Test
    void everyGeometryLosesNoKey() {
        for (int chains = 8; chains <= ChainBlock.MAX_CHAINS; chains++) {
            for (int blockBits = least(chains); blockBits < least(chains) + 130; blockBits++) {
                check(chains, blockBits, 2_000);
            }
        }
    }

    @Test
    void unionsOfBlocksThatHadKeysReplacedLoseNoKey() {
        SplittableRandom random = new SplittableRandom(72);
        for (int i = 0; i < 400; i++) {
            int chains = 8 + random.nextInt(121);
            int blockBits = least(chains) + random.nextInt(i % 2 == 0 ? 3 : 200);
            FilterSpec spec = i % 5 == 0
                    ? counted(chains, 320 + blockBits / 64 * 64).withSeed(i)
                    : i % 5 == 1 ? even(chains, blockBits).withSeed(i) : spec(chains, blockBits, 3, i);
            TinySetFilter one = TinySetFilter.make(spec);
            TinySetFilter other = TinySetFilter.make(spec);
            List<Long> keys = new ArrayList<>();
            for (TinySetFilter filter : List.of(one, other)) {
                for (int j = 0; j < 30; j++) {
                    long gone = random.nextLong();
                    long kept = random.nextLong();
                    filter.insertHash(gone);
                    filter.insertHash(kept);
                    filter.deleteHash(gone);
                    keys.add(kept);
                }
            }
            try {
                one.mergeFrom(other);
            } catch (FilterFullException e) {
                continue;
            }
            assertThat(keys).as(spec.toString()).allMatch(one::mightContainHash);
            one.checkInvariants();
        }
    }
}
