package dev.besom.guard.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.MeetingPlace.Entry;
import dev.besom.guard.store.MeetingPlace.Peer;
import dev.besom.guard.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemberTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Notes how far a member is whenever it proves something. */
    private static final class Recorder implements Following {
        private final List<Long> announced = new CopyOnWriteArrayList<>();
        private final List<Long> provenAt = new CopyOnWriteArrayList<>();
        private volatile LongSupplier applied = () -> -1;
        private volatile LongConsumer afterAnnounced = hash -> {};
        private volatile Runnable afterStart = () -> {};
        private final AtomicInteger startedAnew = new AtomicInteger();

        @Override
        public void announced(long hash, Runnable then) {
            announced.add(hash);
            then.run();
            afterAnnounced.accept(hash);
        }

        @Override
        public void gone(long hash) {}

        @Override
        public void startAnew() {
            startedAnew.incrementAndGet();
            afterStart.run();
        }

        @Override
        public void proven(@Nullable Proof proof) {
            if (proof != null) {
                provenAt.add(applied.getAsLong());
            }
        }
    }

    private static Member member(MemoryPlace place, Recorder recorder) {
        Member member = new Member(place, recorder, new Member.Setting(LEASE, -1, LeaseClock.SYSTEM));
        recorder.applied = member::applied;
        return member;
    }

    /** Another member announces and stores at the last moment in which nobody has to wait for the joiner. */
    @Test
    void joinerProvesNothingBeforeItHasWhatWasAnnouncedUntilItWasInTheList() {
        MemoryPlace place = new MemoryPlace();
        place.beforeJoin = () -> place.append(7, new long[] {42}, new long[0]);
        Recorder recorder = new Recorder();
        try (Member joiner = member(place, recorder)) {
            joiner.join();
            assertThat(recorder.provenAt.get(0)).isEqualTo(1);
            assertThat(recorder.startedAnew).hasValue(1);
        }
        assertThat(place.members()).isEmpty();
    }

    @Test
    void evictedMemberProvesNothingBeforeItHasWhatWasAnnouncedUntilItWasBackInTheList() {
        MemoryPlace place = new MemoryPlace();
        Recorder recorder = new Recorder();
        try (Member member = member(place, recorder)) {
            member.join();
            recorder.provenAt.clear();
            AtomicBoolean isFirst = new AtomicBoolean(true);
            place.beforeJoin = () -> {
                if (isFirst.getAndSet(false)) {
                    place.append(7, new long[] {43}, new long[0]);
                }
            };
            synchronized (place) {
                place.append(7, new long[] {42}, new long[0]);
                place.evictAll();
            }
            while (!recorder.provenAt.contains(2L)) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(recorder.provenAt).doesNotContain(1L);
            assertThat(recorder.announced).containsExactly(42L, 43L);
            assertThat(recorder.startedAnew).hasValue(1);
        }
    }

    /** Whoever is about to build a filter may get its shard the moment an announcement has been there, and found no filter. */
    @Test
    void filterThatIsBuiltRightAfterAnAnnouncementIsBuiltWithIt() {
        MemoryPlace place = new MemoryPlace();
        Recorder recorder = new Recorder();
        List<Long> builtUpTo = new CopyOnWriteArrayList<>();
        try (Member member = member(place, recorder)) {
            member.join();
            recorder.afterAnnounced = hash -> builtUpTo.add(member.applied());
            assertThat(member.announce(42, 43)).isEqualTo(1);
            assertThat(builtUpTo).containsExactly(1L, 2L);
        }
    }

    /** A sweep may come at any moment, and takes what the list's members have not announced. */
    @Test
    void memberThatFindsAGapInTheLogStandsByWhatItHasAnnounced() {
        MemoryPlace place = new MemoryPlace();
        Recorder recorder = new Recorder();
        List<Entry> abandoned = new CopyOnWriteArrayList<>();
        recorder.afterStart = () -> abandoned.addAll(place.abandoned());
        try (Member member = member(place, recorder)) {
            member.join();
            place.leaveGap();
            assertThat(member.announce(42)).isEqualTo(2);
            abandoned.addAll(place.abandoned());
            assertThat(recorder.startedAnew)
                    .as("once to join, once for the gap")
                    .hasValue(2);
            assertThat(abandoned).isEmpty();
        }
        assertThat(place.members()).isEmpty();
    }

    @Test
    void memberThatComesBackStandsByWhatNobodyHasSwept() {
        MemoryPlace place = new MemoryPlace();
        try (Member member = member(place, new Recorder())) {
            member.join();
            place.evictAll();
            assertThat(member.announce(42)).isEqualTo(1);
            assertThat(place.abandoned()).isEmpty();
        }
    }

    /** A silence is counted by beats: one that was seen before the eviction would be taken for the same. */
    @Test
    void memberThatComesBackHasABeatThatNobodyHasSeen() {
        MemoryPlace place = new MemoryPlace();
        try (Member member = member(place, new Recorder())) {
            member.join();
            Peer seen = place.members().get(0);
            place.evictAll();
            member.announce(42);
            Peer back = place.members().get(0);
            assertThat(back.member() != seen.member() || back.beat() > seen.beat())
                    .isTrue();
        }
    }

    /** The list has the member again, and the connection breaks before the member has read what it has missed. */
    @Test
    void memberWhoseReturnWasInterruptedProvesNothingBeforeItHasWhatWasAnnouncedMeanwhile() {
        MemoryPlace place = new MemoryPlace();
        Recorder recorder = new Recorder();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Member.Setting setting = new Member.Setting(Duration.ofMillis(100), -1, LeaseClock.SYSTEM);
        try (Member member = new Member(place, recorder, setting)) {
            recorder.applied = member::applied;
            member.join();
            place.beforeJoin = () -> {
                if (isFirst.get()) {
                    place.append(7, new long[] {42}, new long[0]);
                    recorder.provenAt.clear();
                }
            };
            place.afterJoin = () -> {
                if (isFirst.getAndSet(false)) {
                    throw new StoreException("the connection is broken", new IllegalStateException());
                }
            };
            place.evictAll();
            while (!recorder.provenAt.contains(1L)) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(recorder.provenAt).doesNotContain(0L);
        }
    }

    @Test
    void announcementWaitsForTheSilentUntilTheyAreEvicted() {
        MemoryPlace place = new MemoryPlace();
        place.connect().join(new Peer(99, 0, -1));
        Recorder recorder = new Recorder();
        Member.Setting setting = new Member.Setting(Duration.ofMillis(100), -1, LeaseClock.SYSTEM);
        try (Member member = new Member(place, recorder, setting)) {
            member.join();
            // Nobody but the clock of the observer says that the other one is dead.
            assertThat(member.announce(1)).isEqualTo(1);
            assertThat(place.members()).extracting(Peer::member).doesNotContain(99L);
        }
    }

    @Test
    void silenceIsCountedFromTheFirstSightOfABeat() {
        Peers peers = new Peers(100);
        Peer first = new Peer(1, 5, 0);
        assertThat(peers.observe(List.of(first), 1_000)).isEmpty();
        assertThat(peers.observe(List.of(first), 1_100)).isEmpty();
        assertThat(peers.observe(List.of(first), 1_101)).containsExactly(first);
        Peer renewed = new Peer(1, 6, 0);
        assertThat(peers.observe(List.of(renewed), 5_000)).isEmpty();
        assertThat(peers.observe(List.of(renewed), 5_100)).isEmpty();
        // A database that went back in time, by a failover that lost commits: another beat, and patience anew.
        assertThat(peers.observe(List.of(first), 5_101)).isEmpty();
        assertThat(peers.observe(List.of(first), 5_202)).containsExactly(first);
        peers.observe(List.of(), 5_203);
        assertThat(peers.observe(List.of(first), 9_000)).as("it has come back").isEmpty();
        assertThat(Peers.acknowledged(List.of(new Peer(1, 0, 7), new Peer(2, 0, 3))))
                .isEqualTo(3);
    }

    @Test
    void proofHoldsByBothClocksOnly() {
        long[] times = {0, 0};
        LeaseClock clock = new LeaseClock() {
            @Override
            public long nanoTime() {
                return times[0];
            }

            @Override
            public long wallMillis() {
                return times[1];
            }
        };
        Proof proof = Proof.from(Proof.Moment.now(clock), Duration.ofMillis(10), clock);
        assertThat(proof.holds()).isTrue();
        times[0] = 9_999_999;
        times[1] = 9;
        assertThat(proof.holds()).isTrue();
        times[0] = 10_000_000;
        assertThat(proof.holds()).as("by the monotonic clock").isFalse();
        times[0] = 0;
        times[1] = 10;
        assertThat(proof.holds()).as("the machine was suspended").isFalse();
        times[1] = -1_000_000;
        assertThat(proof.holds()).as("the wall clock was set back").isTrue();
        times[0] = 10_000_000;
        assertThat(proof.holds()).isFalse();
        assertThat(Proof.ALWAYS.holds()).isTrue();
    }
}
