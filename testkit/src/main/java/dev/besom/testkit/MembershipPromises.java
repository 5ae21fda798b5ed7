package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.MembershipFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@link MembershipFilter} promises. */
final class MembershipPromises {

    private static final int PROBES = 10_000;

    /** With so many expected events a rate that is off by 15 % is found out. */
    private static final int WANTED_EVENTS = 2_000;

    private static final long FEWEST_TRIALS = 20_000;
    private static final long MOST_TRIALS = Seeds.isThorough() ? 100_000_000 : 1_000_000;

    /** The fill of one filter scatters around its mean; seven standard deviations of it are passed over. */
    private static final double BUILD_DEVIATIONS = 7;

    /** Room that a kind may take whatever its size, and the factor over the lower bound beyond which it is absurd. */
    private static final long LARGEST_FIXED_BITS = 1 << 16;

    private static final double LARGEST_FACTOR = 20;

    private static final List<Promise> ALWAYS = List.of(
            new Promise("as many keys as planned are all found", MembershipPromises::capacityKeysAreFound),
            new Promise("the hashes 0 and -1 are keys like others", MembershipPromises::extremeHashesAreKeys),
            new Promise("a filter without keys answers no", MembershipPromises::noKeysNoMaybes),
            new Promise("a filter of one key finds it", MembershipPromises::oneKeyIsFound),
            new Promise("asking changes nothing", MembershipPromises::askingChangesNothing),
            new Promise("bulk answers are the single answers", MembershipPromises::bulkEqualsSingle),
            new Promise("bulk answers leave the words past the end alone", MembershipPromises::bulkKeepsToItsWords),
            new Promise("bulk queries that do not fit are refused", MembershipPromises::bulkRefusesWhatDoesNotFit),
            new Promise("the size is sane", MembershipPromises::sizeIsSane),
            new Promise("a single query allocates nothing", MembershipPromises::singleAllocatesNothing),
            new Promise("a bulk query allocates nothing", MembershipPromises::bulkAllocatesNothing));

    private static final List<Promise> AT_SIZE = List.of(
            new Promise("the rate is the rate expected, when full", MembershipPromises::rateIsTheRateExpected),
            new Promise("the rate is the rate expected, when half full", MembershipPromises::rateOfHalfFull));

    private static final List<Promise> AS_ASKED =
            List.of(new Promise("the rate is not above the rate asked for", MembershipPromises::rateIsTheRateAsked));

    private MembershipPromises() {}

    static List<Promise> of(Subject subject) {
        List<Promise> promises = new ArrayList<>(ALWAYS);
        if (subject.hasRates()) {
            promises.addAll(AT_SIZE);
        }
        if (subject.keepsRateAsked()) {
            promises.addAll(AS_ASKED);
        }
        return promises;
    }

    private static void capacityKeysAreFound(Subject subject) {
        Filled full = subject.full(subject.seed(101));
        Filled.assertAllFound(full.filter(), full.keys());
    }

    private static void extremeHashesAreKeys(Subject subject) {
        for (long extreme : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Filled filled = subject.filledWith(extreme);
            filled.assertNothingLost();
            assertThat(filled.filter().count())
                    .as("count with hash %x", extreme)
                    .isEqualTo(1);
        }
        if (subject.capacity() >= 5) {
            subject.filledWith(0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE).assertNothingLost();
        }
    }

    private static void noKeysNoMaybes(Subject subject) {
        MembershipFilter filter = subject.empty().filter();
        assertThat(filter.count()).isZero();
        assertThat(Double.doubleToRawLongBits(filter.expectedFpp()))
                .as("bits of the expected rate, which is zero and has no sign")
                .isZero();
        assertThat(Filled.countMaybes(filter, HashStream.fresh(subject.seed(102)), PROBES))
                .isZero();
        assertThat(filter.mightContainHash(0)).isFalse();
        assertThat(filter.mightContainHash(-1)).isFalse();
    }

    private static void oneKeyIsFound(Subject subject) {
        long key = HashStream.stored(subject.seed(103)).next();
        Filled filled = subject.filledWith(key);
        assertThat(filled.filter().mightContainHash(key)).isTrue();
        assertThat(filled.filter().count()).isEqualTo(1);
    }

    private static void askingChangesNothing(Subject subject) {
        Filled full = subject.full(subject.seed(104));
        State before = State.of(full.filter());
        long[] hashes = mixed(subject, full, 105);
        State.answers(full.filter(), hashes);
        full.filter().mightContainHashes(hashes, 0, hashes.length, State.bitmap(hashes.length));
        before.assertStillThatOf(full.filter());
    }

    private static void bulkEqualsSingle(Subject subject) {
        Filled full = subject.full(subject.seed(106));
        long[] hashes = mixed(subject, full, 107);
        for (int count : new int[] {0, 1, 2, 7, 8, 31, 63, 64, 65, 127, 128, 129, 1_000, 1_023, hashes.length - 13}) {
            for (int from : new int[] {0, 1, 5, 13}) {
                long[] result = State.bitmap(count);
                Arrays.fill(result, -1);
                full.filter().mightContainHashes(hashes, from, count, result);
                assertThat(result)
                        .as("bulk answers of %d hashes from index %d", count, from)
                        .isEqualTo(State.answers(full.filter(), Arrays.copyOfRange(hashes, from, from + count)));
            }
        }
    }

    private static void bulkKeepsToItsWords(Subject subject) {
        Filled full = subject.full(subject.seed(108));
        long[] hashes = mixed(subject, full, 109);
        for (int count : new int[] {0, 1, 64, 65, 100}) {
            int used = State.bitmap(count).length;
            long[] result = new long[used + 3];
            Arrays.fill(result, 0x5EED);
            full.filter().mightContainHashes(hashes, 3, count, result);
            assertThat(Arrays.copyOfRange(result, used, used + 3))
                    .as("words after the answers of %d hashes", count)
                    .containsOnly(0x5EED);
        }
    }

    private static void bulkRefusesWhatDoesNotFit(Subject subject) {
        MembershipFilter filter = subject.full(subject.seed(110)).filter();
        long[] hashes = new long[200];
        assertThatIllegalArgumentException()
                .as("129 answers in 2 words")
                .isThrownBy(() -> filter.mightContainHashes(hashes, 0, 129, new long[2]));
        assertThatIllegalArgumentException()
                .as("answers in place of the hashes")
                .isThrownBy(() -> filter.mightContainHashes(hashes, 0, 100, hashes));
        for (int[] range : new int[][] {{-1, 10}, {0, 201}, {200, 1}, {0, -1}, {Integer.MAX_VALUE, 1}}) {
            assertThatThrownBy(() -> filter.mightContainHashes(hashes, range[0], range[1], new long[100]))
                    .as("%d hashes from index %d of 200", range[1], range[0])
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private static void sizeIsSane(Subject subject) {
        Filled full = subject.full(subject.seed(111));
        long bits = full.filter().sizeInBits();
        double bound =
                full.keys().length * fewestBitsPerKey(Math.max(full.filter().expectedFpp(), 1e-12));
        if (subject.hasRates()) {
            assertThat((double) bits)
                    .as("bits, against the lower bound for %d keys at that rate", full.keys().length)
                    .isGreaterThan(0.98 * bound);
        }
        assertThat((double) bits)
                .as("bits for %d keys", full.keys().length)
                .isPositive()
                .isLessThan(LARGEST_FIXED_BITS + LARGEST_FACTOR * bound);
    }

    private static void rateIsTheRateExpected(Subject subject) {
        assertRateExpected(subject, subject.full(subject.seed(112)), subject.seed(112));
    }

    private static void rateOfHalfFull(Subject subject) {
        long seed = subject.seed(113);
        assertRateExpected(subject, subject.filledWith(HashStream.stored(seed).next(subject.capacity() / 2)), seed);
    }

    /** The rate on hashes that were never asked is the one that the filter expects, neither more nor less. */
    static void assertRateExpected(Subject subject, Filled filled, long seed) {
        double expected = filled.filter().expectedFpp();
        assertThat(expected).isBetween(0.0, 1.0);
        long trials = trialsFor(expected);
        long maybes = Filled.countMaybes(filled.filter(), HashStream.fresh(seed), trials);
        Rates.assertRate(seed, maybes, trials, expected, subject.predictionSlack());
    }

    private static void rateIsTheRateAsked(Subject subject) {
        long seed = subject.seed(114);
        Filled full = subject.full(seed);
        assertNotAboveAsked(subject, full);
        // Fewer than where the rate is told from one that is slightly off, as that is told already.
        double asked = subject.spec().fpp();
        long trials = trialsFor(Seeds.isThorough() ? asked : 4 * asked);
        Rates.assertRateAtMost(
                seed,
                Filled.countMaybes(full.filter(), HashStream.fresh(seed), trials),
                trials,
                mostOfOneFilter(subject));
    }

    /** A full filter expects no more than the rate asked for, give or take what one filter is off the mean. */
    static void assertNotAboveAsked(Subject subject, Filled full) {
        assertThat(full.filter().expectedFpp())
                .as("expected rate, where %s was asked for", subject.spec().fpp())
                .isLessThanOrEqualTo(mostOfOneFilter(subject));
    }

    private static double mostOfOneFilter(Subject subject) {
        double asked = subject.spec().fpp();
        double scatter = Math.sqrt(fewestBitsPerKey(asked) / subject.capacity());
        return asked * (1 + BUILD_DEVIATIONS * scatter);
    }

    private static void singleAllocatesNothing(Subject subject) {
        Filled full = subject.full(subject.seed(115));
        long[] hashes = mixed(subject, full, 116);
        assertThat(Allocation.leastBytesOf(() -> askEach(full.filter(), hashes)))
                .as("bytes allocated by %d queries", hashes.length)
                .isZero();
    }

    private static void bulkAllocatesNothing(Subject subject) {
        Filled full = subject.full(subject.seed(117));
        long[] hashes = mixed(subject, full, 118);
        long[] result = State.bitmap(hashes.length);
        assertThat(Allocation.leastBytesOf(() -> full.filter().mightContainHashes(hashes, 0, hashes.length, result)))
                .as("bytes allocated by a bulk query of %d hashes", hashes.length)
                .isZero();
    }

    private static void askEach(MembershipFilter filter, long[] hashes) {
        long maybes = 0;
        for (long hash : hashes) {
            maybes += filter.mightContainHash(hash) ? 1 : 0;
        }
        assertThatCounted(maybes, hashes.length);
    }

    private static void assertThatCounted(long maybes, long asked) {
        if (maybes > asked) {
            throw new AssertionError(maybes + " answers to " + asked + " queries");
        }
    }

    /** The bits a key that any filter of that rate needs: log2(1 / rate). */
    private static double fewestBitsPerKey(double rate) {
        return -Math.log(rate) / Math.log(2);
    }

    static long trialsFor(double rate) {
        long wanted = (long) (WANTED_EVENTS / Math.max(rate, 1e-12));
        return Math.min(MOST_TRIALS, Math.max(FEWEST_TRIALS, wanted));
    }

    /** Stored and fresh hashes in turn. */
    private static long[] mixed(Subject subject, Filled full, long literal) {
        long[] hashes = HashStream.fresh(subject.seed(literal)).next(2_000);
        for (int i = 0; i < hashes.length; i += 2) {
            hashes[i] = full.keys()[i % full.keys().length];
        }
        return hashes;
    }
}
