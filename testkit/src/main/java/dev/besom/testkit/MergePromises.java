package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import java.util.List;

/** What {@link MergeableFilter} promises. */
final class MergePromises {

    static final List<Promise> ALL = List.of(
            new Promise("a union holds the keys of both", MergePromises::unionHoldsBoth),
            new Promise("a union answers as if all keys had been put in", MergePromises::unionEqualsInserts),
            new Promise("the filter merged from is left alone", MergePromises::otherIsLeftAlone),
            new Promise("merging an empty filter changes no answer", MergePromises::emptyAddsNothing),
            new Promise("merging a filter with itself loses nothing", MergePromises::selfLosesNothing),
            new Promise("another seed is refused and named", MergePromises::otherSeedIsRefused),
            new Promise("another shape is refused and named", MergePromises::otherShapeIsRefused),
            new Promise("another kind is refused and named", MergePromises::otherKindIsRefused));

    private static final int PROBES = 20_000;

    private MergePromises() {}

    private static Filled half(Subject subject, long seed, boolean second) {
        HashStream keys = HashStream.stored(seed);
        long[] first = keys.next(subject.capacity() / 2);
        return subject.filledWith(second ? keys.next(subject.capacity() / 2) : first);
    }

    private static void unionHoldsBoth(Subject subject) {
        long seed = subject.seed(401);
        Filled one = half(subject, seed, false);
        Filled other = half(subject, seed, true);
        one.mergeable().mergeFrom(other.mergeable());
        Filled.assertAllFound(one.filter(), one.keys());
        Filled.assertAllFound(one.filter(), other.keys());
        if (subject.hasRates()) {
            MembershipPromises.assertRateExpected(subject, one, seed);
        }
    }

    private static void unionEqualsInserts(Subject subject) {
        long seed = subject.seed(402);
        Filled one = half(subject, seed, false);
        Filled other = half(subject, seed, true);
        one.mergeable().mergeFrom(other.mergeable());
        Filled both = subject.filledWith(HashStream.stored(seed).next(subject.capacity() / 2 * 2));
        long[] probes = HashStream.fresh(seed).next(PROBES);
        assertThat(State.answers(one.filter(), probes)).isEqualTo(State.answers(both.filter(), probes));
    }

    private static void otherIsLeftAlone(Subject subject) {
        long seed = subject.seed(403);
        Filled one = half(subject, seed, false);
        Filled other = half(subject, seed, true);
        State before = State.of(other.filter());
        one.mergeable().mergeFrom(other.mergeable());
        before.assertStillThatOf(other.filter());
        State merged = State.of(one.filter());
        if (subject.capacity() > 1) {
            other.insert(HashStream.stored(subject.seed(404)).next());
        }
        merged.assertStillThatOf(one.filter());
    }

    private static void emptyAddsNothing(Subject subject) {
        Filled one = half(subject, subject.seed(405), false);
        long[] probes = HashStream.fresh(subject.seed(405)).next(PROBES);
        long[] before = State.answers(one.filter(), probes);
        one.mergeable().mergeFrom(subject.empty().mergeable());
        assertThat(State.answers(one.filter(), probes)).isEqualTo(before);
        one.assertNothingLost();
        Filled empty = subject.empty();
        empty.mergeable().mergeFrom(one.mergeable());
        Filled.assertAllFound(empty.filter(), one.keys());
        assertThat(State.answers(empty.filter(), probes)).isEqualTo(before);
    }

    private static void selfLosesNothing(Subject subject) {
        Filled one = half(subject, subject.seed(406), false);
        one.mergeable().mergeFrom(one.mergeable());
        one.assertNothingLost();
    }

    private static void otherSeedIsRefused(Subject subject) {
        FilterSpec spec = subject.spec();
        assertRefused(
                subject,
                subject.withSpec(spec.withSeed(spec.seed() + 1)).empty().mergeable(),
                "seed");
    }

    private static void otherShapeIsRefused(Subject subject) {
        FilterSpec spec = subject.spec();
        assertRefused(
                subject,
                subject.withSpec(spec.withCapacity(10 * spec.capacity() + 10_000))
                        .empty()
                        .mergeable(),
                "");
    }

    private static void otherKindIsRefused(Subject subject) {
        assertRefused(subject, new Stranger(), Stranger.class.getSimpleName());
    }

    private static void assertRefused(Subject subject, MergeableFilter other, String word) {
        Filled one = half(subject, subject.seed(407), false);
        State before = State.of(one.filter());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.mergeable().mergeFrom(other))
                .satisfies(e -> assertThat(e.getMessage()).isNotBlank().containsIgnoringCase(word));
        before.assertStillThatOf(one.filter());
    }

    /** A mergeable filter that no kind has heard of. */
    private static final class Stranger implements MergeableFilter {

        @Override
        public boolean insertHash(long hash) {
            return false;
        }

        @Override
        public void mergeFrom(MergeableFilter other) {
            throw new IllegalArgumentException("of no kind");
        }

        @Override
        public boolean mightContainHash(long hash) {
            return true;
        }

        @Override
        public long count() {
            return 0;
        }

        @Override
        public long sizeInBits() {
            return 0;
        }

        @Override
        public double expectedFpp() {
            return 1;
        }
    }
}
