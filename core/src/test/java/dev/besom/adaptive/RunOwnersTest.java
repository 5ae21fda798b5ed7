package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunOwnersTest {

    /** A graph by its edges: row h, column s. */
    private static final class Edges implements RunOwners.Graph {

        private final boolean[][] couldOwn;
        private final boolean[] touched;
        private final int[] contents;

        Edges(boolean[][] couldOwn, boolean[] touched, int[] contents) {
            this.couldOwn = couldOwn;
            this.touched = touched;
            this.contents = contents;
        }

        @Override
        public int slotCount() {
            return touched.length;
        }

        @Override
        public int hashCount() {
            return couldOwn.length;
        }

        @Override
        public int firstLike(int slot) {
            int first = 0;
            while (contents[first] != contents[slot]) {
                first++;
            }
            return first;
        }

        @Override
        public int collectOwnable(int hash, int[] slots) {
            int count = 0;
            for (int slot = 0; slot < touched.length; slot++) {
                if (couldOwn[hash][slot] && firstLike(slot) == slot) {
                    slots[count++] = slot;
                }
            }
            return count;
        }

        @Override
        public boolean isTouched(int slot) {
            return touched[slot];
        }
    }

    @Test
    void everyRunWithAnOwnerForEachSlotIsMatchedAndSure() {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 20_000; round++) {
            int size = 1 + random.nextInt(6);
            boolean[][] edges = new boolean[size][size];
            int[] contents = new int[size];
            boolean[] touched = new boolean[size];
            for (int i = 0; i < size; i++) {
                contents[i] = i;
                touched[i] = random.nextBoolean();
                for (int j = 0; j < size; j++) {
                    // The diagonal is the truth; the rest is chance.
                    edges[i][j] = i == j || random.nextInt(3) == 0;
                }
            }
            Edges graph = new Edges(edges, touched, contents);
            RunOwners owners = RunOwners.of(graph);
            boolean[] owns = new boolean[size];
            for (int slot = 0; slot < size; slot++) {
                int owner = owners.ownerOf(slot);
                assertThat(edges[owner][slot]).isTrue();
                assertThat(owns[owner]).isFalse();
                owns[owner] = true;
                assertThat(owners.isSure(slot)).isTrue();
            }
            assertThat(edges[size - 1][RunOwners.slotOfLast(graph)]).isTrue();
        }
    }

    @Test
    void aSlotThatTwoHashesCouldOwnIsNotSureWhileOneOfThemIsNotIn() {
        Edges graph = new Edges(new boolean[][] {{true}, {true}}, new boolean[] {false}, new int[] {0});
        assertThat(RunOwners.of(graph).isSure(0)).isFalse();
    }

    @Test
    void aSlotThatNobodyStoredCouldOwnIsLeftOver() {
        Edges graph = new Edges(new boolean[][] {{true, false}}, new boolean[2], new int[] {0, 1});
        RunOwners owners = RunOwners.of(graph);
        assertThat(owners.isSure(0)).isTrue();
        assertThat(owners.ownerOf(1)).isEqualTo(-1);
        assertThat(owners.isSure(1)).isFalse();
    }

    @Test
    void ofTwoSlotsThatOneHashCouldOwnTheTouchedOneIsMatchedAndNeitherIsSure() {
        Edges graph = new Edges(new boolean[][] {{true, true}}, new boolean[] {false, true}, new int[] {0, 1});
        RunOwners owners = RunOwners.of(graph);
        assertThat(owners.ownerOf(1)).isZero();
        assertThat(owners.isSure(0)).isFalse();
        assertThat(owners.isSure(1)).isFalse();
        assertThat(RunOwners.slotOfLast(graph)).isEqualTo(RunOwners.UNSURE);
    }

    @Test
    void ofTwoEqualSlotsEitherMayBeTakenFromTheHashThatCouldOwnBoth() {
        Edges graph = new Edges(new boolean[][] {{true, true}}, new boolean[2], new int[] {7, 7});
        assertThat(RunOwners.slotOfLast(graph)).isNotNegative();
    }

    @Test
    void aHashThatIsNotInFindsNoSlotWhereEachIsNeeded() {
        Edges graph = new Edges(
                new boolean[][] {{true, true}, {true, false}, {true, true}}, new boolean[2], new int[] {0, 1});
        assertThat(RunOwners.slotOfLast(graph)).isEqualTo(-1);
    }

    /** All ways to match hashes with slots. */
    private static final class AllMatchings {

        private final Edges graph;
        private final int[] ownerOf;
        private final List<int[]> found = new ArrayList<>();

        AllMatchings(Edges graph) {
            this.graph = graph;
            this.ownerOf = new int[graph.slotCount()];
            Arrays.fill(ownerOf, RunOwners.NONE);
            matchFrom(0);
        }

        private void matchFrom(int hash) {
            if (hash == graph.hashCount()) {
                found.add(ownerOf.clone());
                return;
            }
            matchFrom(hash + 1);
            for (int slot = 0; slot < ownerOf.length; slot++) {
                if (ownerOf[slot] == RunOwners.NONE && graph.couldOwn[hash][slot]) {
                    ownerOf[slot] = hash;
                    matchFrom(hash + 1);
                    ownerOf[slot] = RunOwners.NONE;
                }
            }
        }

        private static long sizeOf(int[] matching) {
            return Arrays.stream(matching).filter(owner -> owner >= 0).count();
        }

        private long touchedOf(int[] matching) {
            return IntStream.range(0, matching.length)
                    .filter(slot -> matching[slot] >= 0 && graph.isTouched(slot))
                    .count();
        }

        List<int[]> largest() {
            long most = found.stream().mapToLong(AllMatchings::sizeOf).max().orElseThrow();
            return found.stream().filter(each -> sizeOf(each) == most).toList();
        }

        long mostTouched() {
            return largest().stream().mapToLong(this::touchedOf).max().orElseThrow();
        }
    }

    private static Edges anyGraph(SplittableRandom random) {
        int slots = 1 + random.nextInt(5);
        int hashes = random.nextInt(6);
        int[] contents = new int[slots];
        boolean[] touched = new boolean[slots];
        boolean[][] edges = new boolean[hashes][slots];
        for (int slot = 0; slot < slots; slot++) {
            contents[slot] = random.nextInt(slots);
            touched[slot] = (contents[slot] & 1) != 0;
        }
        for (boolean[] row : edges) {
            int half = random.nextInt(1 << slots);
            int couldOwn = half & random.nextInt(1 << slots);
            for (int slot = 0; slot < slots; slot++) {
                row[slot] = (couldOwn >>> contents[slot] & 1) != 0;
            }
        }
        return new Edges(edges, touched, contents);
    }

    /**
     * Where only one side is ahead, what is true is one of the largest matchings, and any of them can be. All keys that it
     * shows, and those whose slots it leaves over, have to be found after a slot was rewritten: that is so if they are the keys of a
     * matching which gives the slot to the hash that it is rewritten for.
     */
    @Test
    void aSlotIsSureOnlyIfRewritingItHarmsNobodyWhateverIsTrue() {
        SplittableRandom random = new SplittableRandom(18);
        int harmless = 0;
        int sure = 0;
        for (int round = 0; round < 20_000; round++) {
            Edges graph = anyGraph(random);
            AllMatchings all = new AllMatchings(graph);
            List<int[]> truths = all.largest();
            long size = AllMatchings.sizeOf(truths.get(0));
            RunOwners owners = RunOwners.of(graph);
            int[] matching =
                    IntStream.range(0, graph.slotCount()).map(owners::ownerOf).toArray();
            assertThat(all.found).as("round %d", round).anyMatch(each -> Arrays.equals(each, matching));
            assertThat(AllMatchings.sizeOf(matching)).isEqualTo(size);
            assertThat(all.touchedOf(matching)).isEqualTo(all.mostTouched());
            if (size < Math.min(graph.slotCount(), graph.hashCount())) {
                continue;
            }
            for (int slot = 0; slot < matching.length; slot++) {
                int at = slot;
                boolean harmsNobody = matching[slot] >= 0
                        && truths.stream()
                                .allMatch(truth -> truths.stream()
                                        .anyMatch(other -> isOfSameKeys(graph, truth, other)
                                                && ownsAlike(graph, other, matching[at], at)));
                harmless += harmsNobody ? 1 : 0;
                if (owners.isSure(slot)) {
                    assertThat(harmsNobody).as("round %d, slot %d", round, slot).isTrue();
                    sure++;
                }
            }
        }
        assertThat(sure).as("of %d that can do no harm", harmless).isGreaterThan(harmless * 9 / 10);
    }

    private static boolean isOfSameKeys(Edges graph, int[] matching, int[] other) {
        return Arrays.equals(
                        Arrays.stream(matching).sorted().toArray(),
                        Arrays.stream(other).sorted().toArray())
                && Arrays.equals(leftOver(graph, matching), leftOver(graph, other));
    }

    private static int[] leftOver(Edges graph, int[] matching) {
        return IntStream.range(0, matching.length)
                .filter(slot -> matching[slot] < 0)
                .map(slot -> graph.contents[slot])
                .sorted()
                .toArray();
    }

    private static boolean ownsAlike(Edges graph, int[] truth, int hash, int like) {
        return IntStream.range(0, truth.length)
                .anyMatch(slot -> truth[slot] == hash && graph.contents[slot] == graph.contents[like]);
    }

    /** A run of keys that all have one quotient, as a filter with selectors would have it. */
    private static final class LongRun implements RunOwners.Graph {

        private final int remainderBits;
        private final long[] hashes;
        private final long[] remainders;
        private final long[] tags;
        private final RunContents contents;

        LongRun(long[] inFilter, long[] stored, int remainderBits, int mostTag, SplittableRandom random) {
            this.remainderBits = remainderBits;
            this.hashes = stored;
            this.remainders = new long[inFilter.length];
            this.tags = new long[inFilter.length];
            for (int slot = 0; slot < inFilter.length; slot++) {
                tags[slot] = random.nextInt(mostTag + 1);
                remainders[slot] = remainder(inFilter[slot], (int) tags[slot]);
            }
            this.contents = new RunContents(remainders, tags, tag -> (int) tag);
        }

        private long remainder(long hash, int tag) {
            return Mix.expand(hash, 5, tag) >>> (Long.SIZE - remainderBits);
        }

        @Override
        public int slotCount() {
            return tags.length;
        }

        @Override
        public int hashCount() {
            return hashes.length;
        }

        @Override
        public int firstLike(int slot) {
            return contents.first(slot);
        }

        @Override
        public int collectOwnable(int hash, int[] slots) {
            return contents.collect(slots, tag -> contents.find(remainder(hashes[hash], tag), tag));
        }

        @Override
        public boolean isTouched(int slot) {
            return tags[slot] != 0;
        }
    }

    /**
     * Hashes that share their upper bits are all in one run. Each could own a slot for each tag: edges are that many, and each
     * is looked at a few times.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 0",
        "1, 1, 0, 0",
        "1, 7, 0, 0",
        "1, 7, 500, 0",
        "1, 7, 0, 500",
        "4, 1, 0, 0",
        "4, 7, 0, 0",
        "4, 7, 500, 0",
        "4, 7, 0, 500",
        "4, 60, 0, 0",
        "8, 1, 0, 0",
        "8, 7, 0, 0",
        "8, 7, 500, 0",
        "8, 7, 0, 500",
        "8, 60, 0, 0",
        "16, 7, 0, 0"
    })
    void ownersOfALongRunAreFoundInAFewStepsForEachHash(
            int remainderBits, int mostTag, int onlyInFilter, int onlyInStore) {
        int common = 20_000;
        SplittableRandom random = new SplittableRandom(mostTag * 100L + remainderBits);
        long[] all = random.longs(common + onlyInFilter + onlyInStore).toArray();
        long[] inFilter = Arrays.copyOf(all, common + onlyInFilter);
        long[] stored = Arrays.copyOf(all, common + onlyInStore);
        System.arraycopy(all, common + onlyInFilter, stored, common, onlyInStore);
        LongRun run = new LongRun(inFilter, stored, remainderBits, mostTag, random);
        RunOwners owners = RunOwners.of(run);
        assertThat(owners.steps()).isLessThan(20L * (mostTag + 1) * stored.length);
        long left = IntStream.range(0, run.slotCount())
                .filter(slot -> owners.ownerOf(slot) < 0)
                .count();
        assertThat(left).isEqualTo(onlyInFilter);
    }
}
