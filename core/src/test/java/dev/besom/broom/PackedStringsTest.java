package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedStringsTest {

    private static final int SMALL = 6;

    private static PackedStrings pack(List<String> strings) {
        long bits = 0;
        long starts = 0;
        int size = 0;
        for (String string : strings) {
            starts |= 1L << size;
            for (int i = 0; i < string.length(); i++) {
                bits |= (string.charAt(i) == '1' ? 1L : 0L) << size++;
            }
        }
        return new PackedStrings(bits, starts, size);
    }

    private static String text(long bits, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((bits >>> i & 1) != 0 ? '1' : '0');
        }
        return text.toString();
    }

    private static List<String> unpack(PackedStrings packed) {
        List<String> strings = new ArrayList<>();
        for (int rank = 0; rank < packed.count(); rank++) {
            strings.add(text(packed.string(rank), packed.length(rank)));
        }
        return strings;
    }

    /** All packings of up to six bits: every choice of bits and of starts. */
    private static List<PackedStrings> allSmall() {
        List<PackedStrings> all = new ArrayList<>();
        all.add(PackedStrings.NONE);
        for (int size = 1; size <= SMALL; size++) {
            for (long bits = 0; bits < 1L << size; bits++) {
                for (long starts = 1; starts < 1L << size; starts += 2) {
                    all.add(new PackedStrings(bits, starts, size));
                }
            }
        }
        return all;
    }

    private static int shared(String string, String query) {
        int shared = 0;
        while (shared < string.length() && string.charAt(shared) == query.charAt(shared)) {
            shared++;
        }
        return shared;
    }

    private static void checkQueries(PackedStrings packed, long query) {
        List<String> strings = unpack(packed);
        String text = text(query, Long.SIZE);
        for (int from = 0; from <= strings.size(); from++) {
            for (int to = from; to <= strings.size(); to++) {
                long lengths = 0;
                long matches = 0;
                for (int rank = from; rank < to; rank++) {
                    int shared = shared(strings.get(rank), text);
                    lengths |= PackedStrings.low(shared) << packed.start(rank);
                    matches |= (shared == packed.length(rank) ? 1L : 0L) << rank;
                }
                assertThat(packed.agreeing(from, to, query)).isEqualTo(lengths);
                assertThat(packed.prefixesOf(from, to, query)).isEqualTo(matches);
            }
        }
    }

    @Test
    void prefixesAndTheirLengthsAreFoundInEveryRangeOfEverySmallPacking() {
        for (PackedStrings packed : allSmall()) {
            for (long query = 0; query < 1L << SMALL; query += 3) {
                checkQueries(packed, query);
            }
        }
    }

    @Test
    void everySmallPackingIsChangedLikeAList() {
        for (PackedStrings packed : allSmall()) {
            List<String> strings = unpack(packed);
            assertThat(pack(strings)).isEqualTo(packed);
            for (int rank = 0; rank <= strings.size(); rank++) {
                checkInsert(packed, strings, rank, "011");
                checkInsert(packed, strings, rank, "1");
            }
            for (int rank = 0; rank < strings.size(); rank++) {
                checkChangesAt(packed, strings, rank);
            }
            for (int count = 0; count <= SMALL; count++) {
                checkTrimAll(packed, strings, count);
            }
        }
    }

    private static void checkInsert(PackedStrings packed, List<String> strings, int rank, String string) {
        List<String> more = new ArrayList<>(strings);
        more.add(rank, string);
        long bits = pack(List.of(string)).bits();
        assertThat(packed.insert(rank, bits, string.length())).isEqualTo(pack(more));
    }

    private static void checkChangesAt(PackedStrings packed, List<String> strings, int rank) {
        List<String> fewer = new ArrayList<>(strings);
        String string = fewer.remove(rank);
        assertThat(packed.delete(rank)).isEqualTo(pack(fewer));
        for (int count = 0; count <= string.length() + 1; count++) {
            List<String> shorter = new ArrayList<>(fewer);
            if (count < string.length()) {
                shorter.add(rank, string.substring(count));
            }
            assertThat(packed.trim(rank, count)).isEqualTo(pack(shorter));
        }
        if (rank + 1 < strings.size()) {
            List<String> joined = new ArrayList<>(fewer);
            joined.set(rank, string + joined.get(rank));
            assertThat(packed.join(rank)).isEqualTo(pack(joined));
        }
    }

    private static void checkTrimAll(PackedStrings packed, List<String> strings, int count) {
        List<String> rest = new ArrayList<>();
        long longer = 0;
        for (int rank = 0; rank < strings.size(); rank++) {
            if (strings.get(rank).length() > count) {
                rest.add(strings.get(rank).substring(count));
                longer |= 1L << rank;
            }
        }
        assertThat(packed.trimAll(count)).isEqualTo(pack(rest));
        assertThat(packed.longerThan(count)).isEqualTo(longer);
    }

    @Test
    void wholeWordsOfStringsAreAsGoodAsSmallOnes() {
        SplittableRandom random = new SplittableRandom(12);
        for (int round = 0; round < 1_000; round++) {
            long dense = random.nextLong();
            long sparser = dense & random.nextLong();
            long starts = round % 2 == 0 ? sparser & random.nextLong() : dense;
            PackedStrings packed = new PackedStrings(random.nextLong(), starts | 1, Long.SIZE);
            List<String> strings = unpack(packed);
            assertThat(pack(strings)).isEqualTo(packed);
            int rank = random.nextInt(strings.size());
            long lengths = 0;
            long query = packed.string(rank) | random.nextLong() << 1 << (packed.length(rank) - 1);
            for (int each = 0; each < strings.size(); each++) {
                lengths |= PackedStrings.low(shared(strings.get(each), text(query, Long.SIZE))) << packed.start(each);
            }
            assertThat(packed.agreeing(0, strings.size(), query)).isEqualTo(lengths);
            assertThat(packed.prefixesOf(0, strings.size(), query) >>> rank & 1).isEqualTo(1);
            checkChangesAt(packed, strings, rank);
            checkTrimAll(packed, strings, random.nextInt(10));
            PackedStrings fewer = packed.delete(rank);
            assertThat(fewer.insert(rank, packed.string(rank), packed.length(rank)))
                    .isEqualTo(packed);
        }
    }

    @Test
    void oneStringMayFillAWord() {
        PackedStrings one = PackedStrings.NONE.insert(0, -2L, Long.SIZE);
        assertThat(one.prefixesOf(0, 1, -2L)).isEqualTo(1);
        assertThat(one.prefixesOf(0, 1, -4L)).isZero();
        assertThat(one.delete(0)).isEqualTo(PackedStrings.NONE);
        assertThat(one.trimAll(63)).isEqualTo(new PackedStrings(1, 1, 1));
    }

    @Test
    void compressedBitsKeepTheirOrder() {
        SplittableRandom random = new SplittableRandom(3);
        for (int mask = 0; mask < 1 << 10; mask++) {
            for (int word = 0; word < 1 << 10; word += 7) {
                checkCompress(word, mask);
            }
        }
        for (int i = 0; i < 20_000; i++) {
            checkCompress(random.nextLong(), random.nextLong() & (i % 2 == 0 ? -1L : random.nextLong()));
        }
        checkCompress(-1L, -1L);
    }

    private static void checkCompress(long word, long mask) {
        long expected = 0;
        int at = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            expected |= (word >>> Long.numberOfTrailingZeros(rest) & 1) << at++;
        }
        if (PackedStrings.compress(word, mask) != expected) {
            throw new AssertionError(Long.toHexString(word) + " at " + Long.toHexString(mask));
        }
    }

    @Test
    void whatIsNoPackingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedStrings(0, 2, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedStrings(4, 1, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedStrings(0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> PackedStrings.NONE.insert(0, 0, 65));
        assertThatIllegalArgumentException().isThrownBy(() -> PackedStrings.NONE.insert(0, 4, 2));
    }
}
