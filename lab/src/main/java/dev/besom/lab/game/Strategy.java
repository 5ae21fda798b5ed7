package dev.besom.lab.game;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The ways to play. */
public enum Strategy {
    /** Repeats at once each false positive that it finds: the attack that every filter that never adapts falls to. */
    REPEAT {
        @Override
        void play(Play play) {
            while (!play.isOver()) {
                long key = play.findFalsePositive();
                for (int i = 0; i < REPEATS && !play.isOver(); i++) {
                    play.name(key);
                }
            }
        }
    },

    /** Repeats a set of queries over and over, drops those that are not wrong any more, and names the hard core. */
    WHITTLE {
        @Override
        void play(Play play) {
            while (!play.isOver()) {
                long[] keys = new long[WHITTLED_A_KEY * play.stored()];
                Arrays.setAll(keys, i -> play.fresh());
                long[] core = keys;
                for (int round = 0; round < ROUNDS && !play.isOver(); round++) {
                    long[] left = wrongOf(play, core, REPEATS);
                    if (left.length == 0) {
                        break;
                    }
                    core = left;
                }
                for (int i = 0; i < REPEATS * core.length && core.length < keys.length && !play.isOver(); i++) {
                    play.name(core[i % core.length]);
                }
            }
        }
    },

    /** Finds ever more false positives, so that the filter runs out of room for repairs, and names the old ones. */
    INTERLEAVE {
        @Override
        void play(Play play) {
            long[] known = new long[Math.max(4, KNOWN_A_KEY * play.stored())];
            int size = 0;
            while (!play.isOver()) {
                for (int i = 0; i < Math.max(1, play.stored() / 16) && !play.isOver(); i++) {
                    int at = size < known.length ? size++ : play.random().nextInt(known.length);
                    known[at] = play.findFalsePositive();
                }
                for (int i = 0; i < size && !play.isOver(); i++) {
                    play.name(known[play.random().nextInt(size)]);
                }
            }
        }
    },

    /**
     * Goes round and round through some false positives. Those that are wrong again in a later round share a stored key, or
     * the room for repairs, with another one, whose repair undid theirs; it goes on with these alone. A large pool has more
     * that share, a small one leaves the filter less time to become another one.
     */
    ALTERNATE {
        @Override
        void play(Play play) {
            for (int game = 0; !play.isOver(); game++) {
                long[] pool = new long[Math.max(8, play.stored() >> (2 + 2 * (game & 3)))];
                for (int i = 0; i < pool.length && !play.isOver(); i++) {
                    pool[i] = play.findFalsePositive();
                }
                long[] core = pool;
                for (int round = 0; round < ROUNDS && !play.isOver(); round++) {
                    long[] left = wrongOf(play, core, 1);
                    if (left.length == 0) {
                        break;
                    }
                    core = left;
                }
                for (int i = 0; i < REPEATS * core.length && !play.isOver(); i++) {
                    play.name(core[i % core.length]);
                }
            }
        }
    },

    /**
     * Has all stored keys deleted and inserted again, one by one and many at a time in turn, and names the false positives
     * that it found just before. The paper says that
     * a query which was repaired is no false positive again unless a key was not stored then, or has another hash now;
     * so a key that was away for a while must not bring back what was learned to be wrong.
     */
    REINSERT {
        @Override
        void play(Play play) {
            long[] known = new long[Math.max(8, play.stored() / 256)];
            for (int game = 0; !play.isOver(); game++) {
                for (int i = 0; i < known.length && !play.isOver(); i++) {
                    known[i] = play.findFalsePositive();
                }
                int atOnce = (game & 1) == 0 ? 1 : Math.max(1, play.stored() / OUT_AT_ONCE);
                for (int i = 0; i < play.stored(); i += atOnce) {
                    if (!play.reinsert(i, Math.min(play.stored(), i + atOnce))) {
                        throw new IllegalArgumentException("keys cannot be deleted and inserted here");
                    }
                }
                for (int i = 0; i < known.length && !play.isOver(); i++) {
                    play.name(known[i]);
                }
            }
        }
    },

    /**
     * Has fresh keys inserted and deleted again, one at a time and thirty for each stored key, so that extensions which tell
     * them from stored keys take the room of repairs; then it finds as many false positives as it knew before, and names those.
     */
    CHURN {
        @Override
        void play(Play play) {
            long[] known = new long[Math.max(4, play.stored() / KNOWN_BEFORE_CHURN)];
            while (!play.isOver()) {
                for (int i = 0; i < known.length && !play.isOver(); i++) {
                    known[i] = play.findFalsePositive();
                }
                if (!play.churn((long) CHURNED_A_KEY * play.stored())) {
                    throw new IllegalArgumentException("keys cannot be deleted and inserted here");
                }
                for (int i = 0; i < known.length && !play.isOver(); i++) {
                    play.findFalsePositive();
                }
                for (int i = 0; i < known.length && !play.isOver(); i++) {
                    play.name(known[i]);
                }
            }
        }
    };

    private static final int REPEATS = 10;
    private static final int ROUNDS = 6;
    private static final int WHITTLED_A_KEY = 8;
    private static final int KNOWN_A_KEY = 2;

    /** One known false positive for so many keys is too few to make all keys of a broom filter move. */
    private static final int KNOWN_BEFORE_CHURN = 120;

    private static final int CHURNED_A_KEY = 30;

    /** One in so many keys is away at a time; adaptive filters have about a word for each to remember it by. */
    private static final int OUT_AT_ONCE = 256;

    /** Plays until the game is over. */
    abstract void play(Play play);

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it changes what is stored. */
    public boolean changesKeys() {
        return this == REINSERT || this == CHURN;
    }

    /** The strategy of that name. */
    public static Strategy of(String label) {
        return Arrays.stream(values())
                .filter(strategy -> strategy.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown strategy '" + label + "'; known: "
                        + Arrays.stream(values()).map(Strategy::label).collect(Collectors.joining(", "))));
    }

    /** Plays a game against an opponent. */
    public Play.Score playAgainst(Play play) {
        play(play);
        return play.score();
    }

    /** Queries each of the keys in turn, several times over; returns those that were false positives. */
    private static long[] wrongOf(Play play, long[] keys, int turns) {
        boolean[] isWrong = new boolean[keys.length];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < keys.length && !play.isOver(); i++) {
                isWrong[i] |= play.query(keys[i]);
            }
        }
        long[] wrong = new long[keys.length];
        int size = 0;
        for (int i = 0; i < keys.length; i++) {
            if (isWrong[i]) {
                wrong[size++] = keys[i];
            }
        }
        return Arrays.copyOf(wrong, size);
    }
}
