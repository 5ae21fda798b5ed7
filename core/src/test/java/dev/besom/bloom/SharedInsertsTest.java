package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.BitVector;
import dev.besom.spi.FilterImage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Threads that run one at a time, from one access to a bit to the next, in an order that the test chooses: every order
 * there is for two threads, many for more. A thread can thus be stopped between any two accesses, also between a look
 * at the bits and the verdict that follows from it, and between the last bit and the end of a claim.
 */
@Isolated
class SharedInsertsTest {

    /** Keys that are the list of their bits, six bits of the hash each; all of them claim the same place. */
    private static final long AB = key(1, 2);

    private static final long BC = key(2, 3);
    private static final long A = key(1, 1);
    private static final long CD = key(3, 4);

    private ExecutorService pool;

    @BeforeEach
    void start() {
        pool = Executors.newFixedThreadPool(4);
    }

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void ofTwoRacersForOneKeyExactlyOneIsToldNewInEveryOrderOfSteps() throws Exception {
        assertThat(everyOrder(AB, AB)).isGreaterThan(500);
    }

    @Test
    @Tag("thorough")
    void keysThatShareABitAreEachNewInEveryOrderOfSteps() throws Exception {
        assertThat(everyOrder(AB, BC)).isGreaterThan(500);
    }

    @Test
    @Tag("thorough")
    void aKeyWhoseBitsAreAllAnothersIsNewToAtMostOneInEveryOrderOfSteps() throws Exception {
        assertThat(everyOrder(AB, A)).isGreaterThan(500);
    }

    @Test
    void amongManyRacersNobodyIsToldNewTwiceInRandomOrdersOfSteps() throws Exception {
        long[][] games = {{AB, AB, AB}, {AB, AB, BC}, {AB, AB, A}, {AB, BC, AB, BC}, {AB, CD, BC, AB}, {A, AB, A, AB}};
        for (int seed = 0; seed < 600; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            for (long[] game : games) {
                // Some runs switch at each step, some seldom, so that stops are long.
                int patience = 1 + seed % 7;
                int[] current = {0};
                play(game, choices -> {
                    if (random.nextInt(patience) == 0) {
                        current[0] = random.nextInt(1 << 20);
                    }
                    return current[0] % choices;
                });
            }
        }
    }

    /** Plays all orders, each once: the choices are the digits of a number that is counted up. Returns their number. */
    private int everyOrder(long... keys) throws Exception {
        List<int[]> path = new ArrayList<>();
        int orders = 0;
        do {
            int[] depth = {0};
            play(keys, choices -> {
                if (depth[0] == path.size()) {
                    path.add(new int[] {0, choices});
                }
                return path.get(depth[0]++)[0];
            });
            orders++;
            while (!path.isEmpty() && path.get(path.size() - 1)[0] + 1 == path.get(path.size() - 1)[1]) {
                path.remove(path.size() - 1);
            }
            if (!path.isEmpty()) {
                path.get(path.size() - 1)[0]++;
            }
        } while (!path.isEmpty());
        return orders;
    }

    private void play(long[] keys, IntUnaryOperator chooser) throws Exception {
        Stage stage = new Stage(keys.length);
        SteppedBits filter = new SteppedBits(stage);
        boolean[] isNew = new boolean[keys.length];
        List<Future<?>> actors = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            int actor = i;
            actors.add(pool.submit(() -> {
                stage.enter(actor);
                try {
                    isNew[actor] = filter.shared().insertHash(keys[actor]);
                    filter.checkJustInserted(keys[actor], isNew[actor]);
                } finally {
                    stage.leave(actor);
                }
            }));
        }
        stage.direct(chooser);
        for (Future<?> actor : actors) {
            actor.get(10, TimeUnit.SECONDS);
        }
        long told = 0;
        for (int i = 0; i < keys.length; i++) {
            assertThat(filter.hasAll(keys[i])).isTrue();
            told += isNew[i] ? 1 : 0;
            int toldThisKey = 0;
            long bitsOfOthers = 0;
            for (int j = 0; j < keys.length; j++) {
                if (keys[j] == keys[i]) {
                    toldThisKey += isNew[j] ? 1 : 0;
                } else {
                    bitsOfOthers |= mask(keys[j]);
                }
            }
            boolean hasBitOfItsOwn = (mask(keys[i]) & ~bitsOfOthers) != 0;
            assertThat(toldThisKey).as("told new").isBetween(hasBitOfItsOwn ? 1 : 0, 1);
        }
        assertThat(told).isPositive();
        assertThat(filter.count()).isEqualTo(told);
    }

    private static long key(int first, int second) {
        return (long) first << 16 | (long) second << 8;
    }

    private static long mask(long key) {
        return 1L << (key >>> 16) | 1L << (key >>> 8);
    }

    /** Lets one actor at a time go on to its next step. */
    private static final class Stage {
        private final Semaphore director = new Semaphore(0);
        private final Semaphore[] cues;
        private final boolean[] gone;
        private volatile int onStage;

        Stage(int actors) {
            cues = new Semaphore[actors];
            for (int i = 0; i < actors; i++) {
                cues[i] = new Semaphore(0);
            }
            gone = new boolean[actors];
        }

        void enter(int actor) {
            cues[actor].acquireUninterruptibly();
        }

        /** The actor on stage stops here until it is chosen again. */
        void step() {
            int actor = onStage;
            director.release();
            cues[actor].acquireUninterruptibly();
        }

        void leave(int actor) {
            gone[actor] = true;
            director.release();
        }

        void direct(IntUnaryOperator chooser) {
            while (true) {
                List<Integer> waiting = new ArrayList<>();
                for (int i = 0; i < cues.length; i++) {
                    if (!gone[i]) {
                        waiting.add(i);
                    }
                }
                if (waiting.isEmpty()) {
                    return;
                }
                int choice = waiting.size() == 1 ? 0 : chooser.applyAsInt(waiting.size());
                onStage = waiting.get(choice);
                cues[onStage].release();
                director.acquireUninterruptibly();
            }
        }
    }

    /** Two bits a key, read and set one at a time with a stop before and after each. */
    private static final class SteppedBits extends GrowingBits {
        private final Stage stage;

        SteppedBits(Stage stage) {
            super(new BitVector(64), 0);
            this.stage = stage;
        }

        @Override
        boolean areAllBitsSet(long hash) {
            boolean found = bits.get(hash >>> 16 & 63);
            stage.step();
            found = found && bits.get(hash >>> 8 & 63);
            stage.step();
            return found;
        }

        @Override
        void setAtomically(long hash) {
            bits.setAtomically(hash >>> 16 & 63);
            stage.step();
            bits.setAtomically(hash >>> 8 & 63);
            stage.step();
        }

        @Override
        public boolean mightContainHash(long hash) {
            return hasAll(hash);
        }

        @Override
        public boolean insertHash(long hash) {
            throw new UnsupportedOperationException("not in this test");
        }

        @Override
        public FilterImage image() {
            throw new UnsupportedOperationException("not in this test");
        }

        boolean hasAll(long hash) {
            return bits.get(hash >>> 16 & 63) && bits.get(hash >>> 8 & 63);
        }

        void checkJustInserted(long hash, boolean isNew) {
            assertThat(hasAll(hash)).as("found by whoever inserted it").isTrue();
            assertThat(count()).as("count").isGreaterThanOrEqualTo(isNew ? 1 : 0);
        }

        @Override
        public double expectedFpp() {
            return 0;
        }
    }
}
