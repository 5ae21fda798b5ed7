package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
        public boolean couldOwn(int hash, int slot) {
            return couldOwn[hash][slot];
        }

        @Override
        public boolean isTouched(int slot) {
            return touched[slot];
        }

        @Override
        public boolean areEqual(int slot, int other) {
            return contents[slot] == contents[other];
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
}
