package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.bits.BitVector;
import dev.besom.bits.Words;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockedBloomFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1000, 0.1);

    @ParameterizedTest
    @CsvSource({"0.1, 6", "0.01, 10.7", "0.001, 17"})
    void aRateTakesAtMostSoManyBitsAKey(double fpp, double bitsPerKey) {
        assertThat(BlockedBloomFilter.make(FilterSpec.of(1_000_000, fpp)).sizeInBits() / 1e6)
                .isLessThanOrEqualTo(bitsPerKey);
    }

    @ParameterizedTest
    @CsvSource({
        "8, 2, 1", "8, 2, 4", "8, 2, 6", "8, 4, 1", "8, 4, 2", "8, 4, 5", "4, 2, 1", "4, 2, 6", "4, 4, 2", "4, 4, 5"
    })
    void aKeySetsSoManyBitsInOneWordOfEachGroupOfOneBlock(int blockWords, int groups, int bitsPerGroup) {
        FilterSpec spec = SPEC.with("blockBits", Integer.toString(64 * blockWords))
                .with("groups", Integer.toString(groups))
                .with("bitsPerGroup", Integer.toString(bitsPerGroup));
        BlockedBloomFilter filter = BlockedBloomFilter.make(spec);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 500; i++) {
            filter.bits.and(new BitVector(filter.sizeInBits()));
            long hash = random.nextLong();
            assertThat(filter.insertHash(hash)).isTrue();
            long[] words = filter.bits.words();
            int block = -1;
            int[] wordsInGroup = new int[groups];
            for (int word = Words.LEAD; word < words.length; word++) {
                if (words[word] != 0) {
                    assertThat(Long.bitCount(words[word])).isEqualTo(bitsPerGroup);
                    int at = word - Words.LEAD;
                    assertThat(block == -1 || block == at / blockWords).isTrue();
                    block = at / blockWords;
                    wordsInGroup[at % blockWords / (blockWords / groups)]++;
                }
            }
            assertThat(wordsInGroup).containsOnly(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"2", "4"})
    void queriesOneByOneAndInBulkAnswerAlike(String groups) {
        BlockedBloomFilter filter =
                BlockedBloomFilter.make(FilterSpec.of(50_000, 0.01).with("groups", groups));
        long[] hashes = new SplittableRandom(1).longs(128_000).toArray();
        filter.insertHashes(hashes, 0, hashes.length / 2);
        long[] answers = new long[hashes.length / 64];
        filter.mightContainHashes(hashes, 0, hashes.length, answers);
        int positives = 0;
        for (int i = 0; i < hashes.length; i++) {
            boolean isMaybe = filter.mightContainHash(hashes[i]);
            assertThat(isMaybe).isEqualTo((answers[i / 64] >>> i & 1) != 0);
            positives += isMaybe ? 1 : 0;
        }
        // More keys than planned for, so many others are taken for stored.
        assertThat(positives).isBetween(hashes.length / 2 + 640, hashes.length / 2 + 6_400);
    }

    @ParameterizedTest
    @CsvSource({
        "blockBits, 255, 'option blockBits must be from 256 to 512, not 255'",
        "blockBits, 384, 'option blockBits must be 256 or 512, not 384'",
        "groups, 1, 'option groups must be from 2 to 4, not 1'",
        "groups, 3, 'option groups must be 2 or 4, not 3'",
        "groups, 8, 'option groups must be from 2 to 4, not 8'",
        "bitsPerGroup, 0, 'option bitsPerGroup must be from 1 to 6, not 0'",
        "bitsPerGroup, 7, 'option bitsPerGroup must be from 1 to 6, not 7'",
        "bitsPerGroup, two, 'option bitsPerGroup must be a whole number, not ''two'''"
    })
    void badOptionsAreNamed(String option, String value, String message) {
        assertThatThrownBy(() -> BlockedBloomFilter.make(SPEC.with(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void ratesThatNoBlockCanGiveAreRefused() {
        assertThatThrownBy(() -> BlockedBloomFilter.make(FilterSpec.of(1000, 1e-30)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no blocked Bloom filter holds 1000 keys at a false-positive rate of 1.0E-30");
        assertThatThrownBy(() -> BlockedBloomFilter.make(FilterSpec.of(Long.MAX_VALUE, 0.01)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no blocked Bloom filter holds " + Long.MAX_VALUE);
    }

    /** The blocked Bloom filter of 32 bytes a block that the TinySet paper compares with (Table 6). */
    @ParameterizedTest
    @CsvSource({"0.01, 10.7, 10.9", "0.001, 16.9, 17.4", "0.0001, 25.6, 27.5"})
    void blocksOfHalfALineTakeNoMoreThanThePapersDo(double fpp, double bitsPerKey, double paper) {
        assertThat(BlockedBloomFilter.make(FilterSpec.of(1_000_000, fpp).with("blockBits", "256"))
                                .sizeInBits()
                        / 1e6)
                .isBetween(bitsPerKey - 0.05, bitsPerKey + 0.05)
                .isLessThan(paper);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.5", "0.01, 1", "0.01, 0.3", "0.001, 1", "0.001, 0.05"})
    void theCountIsEstimatedFromTheFillOfTheWords(double fpp, double load) {
        BlockedBloomFilter filter = BlockedBloomFilter.make(FilterSpec.of(200_000, fpp));
        long[] keys = new SplittableRandom(2).longs((long) (200_000 * load)).toArray();
        filter.insertHashes(keys, 0, keys.length);
        // The logarithm of a word's few missing bits is biased by about one percent where the filter is full.
        assertThat(filter.estimatedCount()).isCloseTo(keys.length, within(0.03 * keys.length));
        assertThat(BlockedBloomFilter.make(SPEC).estimatedCount()).isZero();
    }

    @Test
    void insertingAtOnceAndOneByOneSetsTheSameBits() {
        long[] keys = new SplittableRandom(3).longs(1500).toArray();
        for (String groups : new String[] {"2", "4"}) {
            BlockedBloomFilter one = BlockedBloomFilter.make(SPEC.with("groups", groups));
            BlockedBloomFilter all = BlockedBloomFilter.make(SPEC.with("groups", groups));
            for (long key : keys) {
                one.insertHash(key);
            }
            all.insertHashes(keys, 0, keys.length);
            assertThat(all.bits.words()).isEqualTo(one.bits.words());
            assertThat(all.count()).isEqualTo(one.count());
        }
    }
}
