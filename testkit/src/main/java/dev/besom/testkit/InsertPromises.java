package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import java.util.Arrays;
import java.util.List;

/** What {@link InsertableFilter} promises. */
final class InsertPromises {

    static final List<Promise> ALL = List.of(
            new Promise("insert says new exactly where the filter would have said no", InsertPromises::newMeansNew),
            new Promise("keys put in twice are found and not new", InsertPromises::duplicatesAreFound),
            new Promise("one key put in over and over is found", InsertPromises::manyTimesTheSame),
            new Promise("a key beyond the plan is in, or refused with no change", InsertPromises::oneTooMany),
            new Promise("no key is lost when far too many come", InsertPromises::farTooMany),
            new Promise("the count is what the kind says it counts", InsertPromises::countIsRight),
            new Promise("insertAll does what single inserts do", InsertPromises::bulkInsertEqualsSingle),
            new Promise("insertAll refuses ranges outside the array", InsertPromises::bulkInsertRefuses),
            new Promise("the same keys and seed make the same filter", InsertPromises::sameInputsSameFilter));

    private static final int TIMES = 20;
    private static final int MOST_KEYS_TOO_MANY = 20_000;
    private static final int PROBES = 20_000;

    private InsertPromises() {}

    private static void newMeansNew(Subject subject) {
        Filled filled = subject.empty();
        HashStream keys = HashStream.stored(subject.seed(201));
        for (int i = 0; i < subject.capacity(); i++) {
            long key = keys.next();
            boolean expected = !filled.filter().mightContainHash(key);
            assertThat(filled.insert(key)).as("insert of key %d", i).isEqualTo(expected);
            assertThat(filled.filter().mightContainHash(key))
                    .as("key %d just after its insert", i)
                    .isTrue();
        }
    }

    private static void duplicatesAreFound(Subject subject) {
        Filled filled = subject.empty();
        long[] keys = HashStream.stored(subject.seed(202)).next((subject.capacity() + 1) / 2);
        for (long key : keys) {
            filled.insert(key);
        }
        for (int i = 0; i < subject.capacity() / 2; i++) {
            assertThat(filled.insert(keys[i])).as("second insert of key %d", i).isFalse();
        }
        filled.assertNothingLost();
    }

    private static void manyTimesTheSame(Subject subject) {
        Filled filled = subject.empty();
        for (int i = 0; i < TIMES; i++) {
            insertOrFindUnchanged(filled, 0);
        }
        assertThat(filled.filter().mightContainHash(0)).isTrue();
        filled.assertNothingLost();
    }

    private static void oneTooMany(Subject subject) {
        long seed = subject.seed(203);
        Filled full = subject.full(seed);
        HashStream more = HashStream.stored(seed);
        more.next(subject.capacity());
        insertOrFindUnchanged(full, more.next());
        full.assertNothingLost();
    }

    private static void farTooMany(Subject subject) {
        Filled full = subject.full(subject.seed(204));
        HashStream more = HashStream.stored(subject.seed(205));
        int extra = Math.min(Math.max(100, 2 * subject.capacity()), MOST_KEYS_TOO_MANY);
        for (int i = 0; i < extra; i++) {
            long key = more.next();
            try {
                full.insert(key);
            } catch (FilterFullException e) {
                full.stored().remove(key);
                assertThat(e.getMessage()).as("message of the refusal").isNotBlank();
                break;
            }
        }
        full.assertNothingLost();
    }

    private static void insertOrFindUnchanged(Filled filled, long key) {
        State before = State.of(filled.filter());
        filled.stored().add(key);
        try {
            filled.insertable().insertHash(key);
        } catch (FilterFullException e) {
            filled.stored().remove(key);
            assertThat(e.getMessage()).as("message of the refusal").isNotBlank();
            before.assertStillThatOf(filled.filter());
        }
    }

    /** Kinds count entries, or the inserts that were told "new": whichever it is, they stay with it. */
    private static void countIsRight(Subject subject) {
        boolean countsEntries = countsEntries(subject);
        Filled filled = subject.empty();
        long seed = subject.seed(206);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        long news = 0;
        for (int i = 0; i < keys.length; i++) {
            news += filled.insert(keys[i]) ? 1 : 0;
            assertThat(filled.filter().count())
                    .as("count after %d inserts, %d of them new", i + 1, news)
                    .isEqualTo(countsEntries ? i + 1 : news);
        }
        if (subject.hasRates()) {
            Rates.assertRateAtMost(
                    seed,
                    keys.length - news,
                    keys.length,
                    filled.filter().expectedFpp() * (1 + subject.predictionSlack()));
        }
    }

    private static void bulkInsertEqualsSingle(Subject subject) {
        long seed = subject.seed(207);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        Filled single = subject.filledWith(keys);
        long[] padded = new long[keys.length + 5];
        System.arraycopy(keys, 0, padded, 3, keys.length);
        Filled bulk = subject.empty();
        Arrays.stream(keys).forEach(bulk.stored()::add);
        int first = keys.length / 3;
        bulk.insertable().insertHashes(padded, 3, first);
        bulk.insertable().insertHashes(padded, 3 + first, keys.length - first);
        bulk.insertable().insertHashes(padded, 0, 0);
        Filled.assertAllFound(bulk.filter(), keys);
        long[] probes = HashStream.fresh(seed).next(PROBES);
        assertThat(State.answers(bulk.filter(), probes))
                .as("answers after insertAll")
                .isEqualTo(State.answers(single.filter(), probes));
        assertThat(bulk.filter().expectedFpp())
                .as("expected rate after insertAll")
                .isEqualTo(single.filter().expectedFpp());
        if (countsEntries(subject)) {
            assertThat(bulk.filter().count()).as("count after insertAll").isEqualTo(keys.length);
        }
    }

    private static void bulkInsertRefuses(Subject subject) {
        Filled filled = subject.empty();
        long[] hashes = new long[8];
        for (int[] range : new int[][] {{-1, 2}, {0, 9}, {8, 1}, {0, -1}}) {
            assertThatThrownBy(() -> filled.insertable().insertHashes(hashes, range[0], range[1]))
                    .as("%d hashes from index %d of 8", range[1], range[0])
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(filled.filter().count()).isZero();
    }

    private static void sameInputsSameFilter(Subject subject) {
        MembershipFilter one = subject.full(subject.seed(208)).filter();
        MembershipFilter other = subject.full(subject.seed(208)).filter();
        State.of(one).assertStillThatOf(other);
    }

    private static boolean countsEntries(Subject subject) {
        return subject.withSpec(subject.spec().withCapacity(Math.max(64, subject.capacity())))
                        .filledWith(7, 7)
                        .filter()
                        .count()
                == 2;
    }
}
