package dev.besom.guard.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of a fleet as a machine of states, small enough that all orders of its steps can be gone through: a writer that
 * announces and stores one key, another one that appends an entry, a member that follows, a joiner, and one lease that runs
 * out at any moment. Each {@link Defence} can be left out.
 */
final class FleetModel {

    /** What the protocol does against one way to hide a key. */
    enum Defence {
        /** A joiner enters the list of members before it reads the log's end and the hashes. */
        LIST_FIRST,
        /** Entries become visible in the order of their numbers. */
        ORDERED_LOG,
        /** Storing ends the announcement, and fails if that is not pending. */
        FENCE,
        /** A lookup reads the clock after the filter. */
        CLOCK_LAST,
        /** A lookup reads its proof before the filter. */
        PROOF_FIRST,
        /** A member whose lease has run out catches up before it proves anything again. */
        CATCH_UP,
        /** A member takes part in an announcement until its own trust in its lease has ended. */
        TRUST_ENDS_FIRST,
        /** A member acknowledges an entry after it has applied it. */
        ACKNOWLEDGE_LAST
    }

    /** A member as the model sees it; the fields of a state that belong to it follow each other. */
    private static final int LISTED = 0;

    private static final int ACKED = 1;
    private static final int APPLIED = 2;
    private static final int HAS_KEY = 3;
    /** 0 none, 1 the first, 2 the one after the lease ran out. */
    private static final int PROOF = 4;

    private static final int HAS_EXPIRED = 5;
    /** 0 outside, 1 has read the log's end, 2 has built its filter. */
    private static final int JOINING = 6;
    /** 0 none, 1 proof read, 2 filter read with "no" after the key was stored, 3 answered so. */
    private static final int LOOKUP = 7;

    private static final int LOOKUP_PROOF = 8;
    private static final int WIDTH = 9;

    private static final int MEMBER = 0;
    private static final int JOINER = WIDTH;
    /** 0 begins, 1 has a number, 2 appended, 3 acknowledged by all, 4 stored or refused. */
    private static final int WRITER = 2 * WIDTH;

    private static final int WRITER_NUMBER = WRITER + 1;
    private static final int WRITER_LISTED = WRITER + 2;
    /** 0 begins, 1 has a number, 2 appended. */
    private static final int OTHER = WRITER + 3;

    private static final int OTHER_NUMBER = WRITER + 4;
    private static final int NUMBERS = WRITER + 5;
    private static final int PENDING = WRITER + 6;
    private static final int STORED = WRITER + 7;
    private static final int EXPIRIES = WRITER + 8;
    private static final int SIZE = WRITER + 9;

    private final Set<Defence> defences;

    private FleetModel(Set<Defence> defences) {
        this.defences = defences;
    }

    /** What going through all states has shown. */
    record Outcome(int stateCount, @Nullable String hidden) {}

    /** Goes through all states, with all defences but one. */
    static Outcome without(Defence defence) {
        return new FleetModel(EnumSet.complementOf(EnumSet.of(defence))).explore();
    }

    /** Goes through all states, with all defences. */
    static Outcome whole() {
        return new FleetModel(EnumSet.allOf(Defence.class)).explore();
    }

    private Outcome explore() {
        int[] first = new int[SIZE];
        first[MEMBER + LISTED] = 1;
        first[MEMBER + PROOF] = 1;
        first[MEMBER + JOINING] = 2;
        first[JOINER + ACKED] = -1;
        first[WRITER_LISTED] = 1;
        Set<String> seen = new HashSet<>();
        Deque<int[]> queue = new ArrayDeque<>();
        seen.add(Arrays.toString(first));
        queue.add(first);
        while (!queue.isEmpty()) {
            int[] state = queue.remove();
            for (int[] next : steps(state)) {
                if (next[MEMBER + LOOKUP] == 3 || next[JOINER + LOOKUP] == 3) {
                    return new Outcome(seen.size(), Arrays.toString(next));
                }
                if (seen.add(Arrays.toString(next))) {
                    queue.add(next);
                }
            }
        }
        return new Outcome(seen.size(), null);
    }

    private boolean has(Defence defence) {
        return defences.contains(defence);
    }

    /** All states that one step leads to. */
    private List<int[]> steps(int[] state) {
        List<int[]> next = new ArrayList<>();
        writerSteps(state, next);
        otherSteps(state, next);
        followSteps(state, MEMBER, next);
        followSteps(state, JOINER, next);
        joinSteps(state, next);
        leaseSteps(state, next);
        lookupSteps(state, MEMBER, next);
        lookupSteps(state, JOINER, next);
        return next;
    }

    private static int[] with(int[] state, int... changes) {
        int[] next = state.clone();
        for (int i = 0; i < changes.length; i += 2) {
            next[changes[i]] = changes[i + 1];
        }
        return next;
    }

    private void writerSteps(int[] s, List<int[]> next) {
        boolean isLocked = has(Defence.ORDERED_LOG) && s[OTHER] == 1;
        if (s[WRITER] == 0 && !isLocked) {
            next.add(with(s, WRITER, 1, NUMBERS, s[NUMBERS] + 1, WRITER_NUMBER, s[NUMBERS] + 1));
        } else if (s[WRITER] == 1) {
            next.add(with(s, WRITER, 2, PENDING, 1));
        } else if (s[WRITER] == 2 && isAcknowledged(s, MEMBER) && isAcknowledged(s, JOINER)) {
            next.add(with(s, WRITER, 3));
        } else if (s[WRITER] == 3) {
            boolean isStored = s[PENDING] == 1 || !has(Defence.FENCE);
            next.add(with(s, WRITER, 4, PENDING, 0, STORED, isStored ? 1 : 0));
        }
    }

    private static boolean isAcknowledged(int[] s, int member) {
        return s[member + LISTED] == 0 || s[member + ACKED] >= s[WRITER_NUMBER];
    }

    private void otherSteps(int[] s, List<int[]> next) {
        boolean isLocked = has(Defence.ORDERED_LOG) && s[WRITER] == 1;
        if (s[OTHER] == 0 && !isLocked) {
            next.add(with(s, OTHER, 1, NUMBERS, s[NUMBERS] + 1, OTHER_NUMBER, s[NUMBERS] + 1));
        } else if (s[OTHER] == 1) {
            next.add(with(s, OTHER, 2));
        }
    }

    /** The number of the last entry that is visible. */
    private static int head(int[] s) {
        return Math.max(s[WRITER] >= 2 ? s[WRITER_NUMBER] : 0, s[OTHER] == 2 ? s[OTHER_NUMBER] : 0);
    }

    private static boolean isInLog(int[] s, int after) {
        return s[WRITER] >= 2 && s[WRITER_NUMBER] > after;
    }

    /** A member reads the log and acknowledges; one that has not read the log's end yet does not follow it. */
    private void followSteps(int[] s, int m, List<int[]> next) {
        if (s[m + JOINING] == 0) {
            return;
        }
        int head = head(s);
        boolean isAcknowledgedEarly = !has(Defence.ACKNOWLEDGE_LAST);
        if (s[m + APPLIED] < head) {
            int hasKey = s[m + HAS_KEY] == 1 || isInLog(s, s[m + APPLIED]) ? 1 : 0;
            next.add(with(s, m + APPLIED, head, m + HAS_KEY, hasKey));
        }
        int acknowledged = isAcknowledgedEarly ? head : s[m + APPLIED];
        if (s[m + LISTED] == 1 && s[m + ACKED] < acknowledged) {
            next.add(with(s, m + ACKED, acknowledged));
        }
    }

    private void joinSteps(int[] s, List<int[]> next) {
        int b = JOINER;
        boolean isListedFirst = has(Defence.LIST_FIRST);
        boolean mayBeListed = isListedFirst ? s[b + JOINING] == 0 : s[b + JOINING] == 2;
        if (mayBeListed && s[b + LISTED] == 0) {
            // Who is listed last says what it has read before, and serves.
            next.add(
                    isListedFirst
                            ? with(s, b + LISTED, 1)
                            : with(s, b + LISTED, 1, b + ACKED, s[b + APPLIED], b + PROOF, 1));
        }
        if (s[b + JOINING] == 0 && (s[b + LISTED] == 1 || !isListedFirst)) {
            next.add(with(s, b + JOINING, 1, b + APPLIED, head(s)));
        }
        if (s[b + JOINING] == 1) {
            boolean isPending = s[PENDING] == 1 && s[WRITER_NUMBER] <= s[b + APPLIED];
            int hasKey = s[b + HAS_KEY] == 1 || isPending || s[STORED] == 1 ? 1 : 0;
            int proof = isListedFirst ? 1 : s[b + PROOF];
            next.add(with(s, b + JOINING, 2, b + HAS_KEY, hasKey, b + PROOF, proof));
        }
    }

    private void leaseSteps(int[] s, List<int[]> next) {
        int a = MEMBER;
        if (s[EXPIRIES] == 0) {
            next.add(with(s, EXPIRIES, 1, a + HAS_EXPIRED, 1));
            // The writer is evicted: it needs no trust of its own, as it answers nothing here.
            next.add(with(s, EXPIRIES, 1, WRITER_LISTED, 0));
        }
        boolean mayBeEvicted = s[a + HAS_EXPIRED] == 1 || (!has(Defence.TRUST_ENDS_FIRST) && s[EXPIRIES] == 0);
        if (s[a + LISTED] == 1 && s[a + PROOF] == 1 && mayBeEvicted) {
            next.add(with(s, EXPIRIES, 1, a + LISTED, 0));
        }
        if (s[WRITER_LISTED] == 0 && s[PENDING] == 1) {
            next.add(with(s, PENDING, 0));
        }
        if (s[a + LISTED] == 0 && s[a + HAS_EXPIRED] == 1) {
            next.add(rejoined(s, a));
        }
    }

    /** The lease is new, in one step: listed, and the log read to its end or not. */
    private int[] rejoined(int[] s, int a) {
        int head = head(s);
        int hasKey = s[a + HAS_KEY] == 1 || (has(Defence.CATCH_UP) && isInLog(s, s[a + APPLIED])) ? 1 : 0;
        return with(s, a + LISTED, 1, a + ACKED, head, a + APPLIED, head, a + HAS_KEY, hasKey, a + PROOF, 2);
    }

    /** A lookup; its "no" is wrong if the key was stored when the filter was read. */
    private void lookupSteps(int[] s, int m, List<int[]> next) {
        boolean isProven = s[m + PROOF] > 0 && !isExpired(s, m, s[m + PROOF]);
        if (s[m + LOOKUP] == 0 && s[m + PROOF] > 0 && (isProven || has(Defence.CLOCK_LAST))) {
            next.add(with(s, m + LOOKUP, 1, m + LOOKUP_PROOF, s[m + PROOF]));
        }
        if (s[m + LOOKUP] == 1 && s[STORED] == 1 && s[m + HAS_KEY] == 0) {
            next.add(with(s, m + LOOKUP, 2));
        }
        if (s[m + LOOKUP] == 2) {
            int proof = has(Defence.PROOF_FIRST) ? s[m + LOOKUP_PROOF] : s[m + PROOF];
            if (!has(Defence.CLOCK_LAST) || !isExpired(s, m, proof)) {
                next.add(with(s, m + LOOKUP, 3));
            }
        }
    }

    private static boolean isExpired(int[] s, int m, int proof) {
        return proof == 1 && s[m + HAS_EXPIRED] == 1;
    }
}
