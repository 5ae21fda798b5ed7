package dev.besom.guard.fleet;

import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.MeetingPlace.Entry;
import dev.besom.guard.store.MeetingPlace.Peer;
import dev.besom.guard.store.MeetingPlace.Session;
import dev.besom.guard.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One guard's part in a fleet.
 *
 * <pre>
 *   announce    append to the log | every member has applied and acknowledged it, or is evicted | the key may be stored
 *   follow      read the log | slots in the filters | acknowledge | renew the lease
 *   join        enter the list | read the log's end | filters from what is stored and pending | "no" from here on
 *   rejoin      after an eviction: read the log from where it was | enter the list | read the rest | "no" from here on
 *               after a gap in the log: stay in the list | as one who joins
 * </pre>
 *
 * One thread follows and renews, on a connection of its own. So a member that does not follow does not renew either, and the
 * others go on without it after a lease. A second thread, which may wait, sweeps what dead members have announced, tells what
 * is gone, and trims the log.
 */
public final class Member implements AutoCloseable {

    /** A lease is renewed so many times before it runs out. */
    private static final int RENEWALS = 5;

    /** What of a lease the member itself trusts, and how many leases others wait, in tenths: clocks may differ by so much. */
    private static final int TRUSTED_TENTHS = 9;

    private static final int PATIENCE_TENTHS = 11;

    /** After how many leases an announcement that members do not answer is given up. */
    private static final int MOST_LEASES = 4;

    private static final int READ_AT_ONCE = 1000;

    /** Slots that are taken out between two looks at the log: each costs a read of the store. */
    private static final int GONE_AT_ONCE = 32;

    /** Of more of them the oldest keep their slots. */
    private static final int MOST_GONE = 1 << 20;

    /** Entries of the log that are kept for members that come back. */
    private static final long KEPT_ENTRIES = 1 << 20;

    /** Closing waits for so long at most. */
    private static final long LONGEST_WAIT_NANOS = 200_000_000;

    private static final long UPKEEP_MILLIS = 100;
    private static final long RETRY_MILLIS = 50;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MeetingPlace place;
    private final Following filters;
    private final Setting setting;
    private final Announcer announcer;
    private final Peers peers;
    private final Deque<Long> gone = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<Entry> givenUp = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread follower = new Thread(this::run, "besom-fleet");
    private final Thread upkeep = new Thread(this::keepUp, "besom-fleet-upkeep");

    private volatile long id = newId();
    private volatile long applied;

    // What follows belongs to the thread that follows.
    private long beat;
    private Proof.Moment renewed = new Proof.Moment(0, 0);
    private String incarnation = "";
    private long quietUntilNanos;
    /** Whether everything is applied that was announced until the list had this member. */
    private boolean isBack;

    /**
     * The choices of a member.
     *
     * @param lease the lease of the fleet
     * @param startAt the entry that the filters are up to, from a snapshot; -1 if they are empty
     * @param clock the clocks of this process
     */
    public record Setting(Duration lease, long startAt, LeaseClock clock) {
        private Duration tenths(int tenths) {
            return lease.multipliedBy(tenths).dividedBy(10);
        }
    }

    /** A member that has not joined yet. */
    public Member(MeetingPlace place, Following filters, Setting setting) {
        this.place = place;
        this.filters = filters;
        this.setting = setting;
        this.announcer = new Announcer(place, () -> id);
        this.peers = new Peers(setting.tenths(PATIENCE_TENTHS).toNanos());
        this.applied = setting.startAt();
        this.quietUntilNanos = setting.clock().nanoTime();
        this.follower.setDaemon(true);
        this.upkeep.setDaemon(true);
    }

    /**
     * Joins the fleet. Filters may be built when this returns.
     *
     * @throws RuntimeException what the meeting place threw
     */
    public void join() {
        follower.start();
        try {
            joined.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        upkeep.start();
    }

    /** Up to which entry of the log the filters have everything. */
    public long applied() {
        return applied;
    }

    /**
     * Announces hashes, and waits until every member has them in its filters.
     *
     * @return the number of the first one's announcement; the others follow
     */
    public long announce(long... hashes) {
        long first = announcer.append(hashes);
        long last = first + hashes.length - 1;
        try {
            announcer.await(last, setting.lease().multipliedBy(MOST_LEASES).toNanos());
            return first;
        } catch (TimeoutException | RuntimeException e) {
            giveUpLater(first, hashes);
            throw e instanceof RuntimeException failure
                    ? failure
                    : new StoreException("a new key could not be announced", e);
        }
    }

    /** Gives up announcements whose keys are not to be stored, some time later. */
    public void giveUpLater(long first, long... hashes) {
        for (int i = 0; i < hashes.length; i++) {
            givenUp.add(new Entry(first + i, hashes[i], false));
        }
    }

    /** Gives up an announcement; nothing if its key was stored. */
    public void giveUp(long number, long hash) {
        if (place.giveUp(number)) {
            announcer.addGone(hash);
        }
    }

    /** Tells the others that one copy of a hash is gone from the store, some time later. */
    public void gone(long hash) {
        announcer.addGone(hash);
    }

    private static long newId() {
        return RANDOM.nextLong() & Long.MAX_VALUE;
    }

    private void run() {
        while (!isClosing()) {
            try (Session session = place.connect()) {
                enter(session);
                while (!isClosing()) {
                    follow(session);
                }
                session.leave(id);
            } catch (RuntimeException e) {
                if (joined.completeExceptionally(e) || joined.isCompletedExceptionally()) {
                    return;
                }
                pause(RETRY_MILLIS);
            }
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private boolean pause(long millis) {
        try {
            return !closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Begins a session: joins, or goes on as the member that it was. */
    private void enter(Session session) {
        boolean isOther = !incarnation.equals(session.incarnation());
        if (!joined.isDone()) {
            incarnation = session.incarnation();
            rejoin(session, applied < 0);
            joined.complete(null);
        } else if (isOther) {
            // What was acknowledged may be lost, and there may be members that nobody has heard of.
            quietUntilNanos =
                    setting.clock().nanoTime() + setting.tenths(PATIENCE_TENTHS).toNanos();
            announcer.restart();
            session.leave(id);
            id = newId();
            rejoin(session, true);
            incarnation = session.incarnation();
        } else if (!isBack) {
            // The session before has ended in between; the list may have this member already.
            rejoin(session, false);
        }
    }

    /**
     * Enters the list of members, or stays there, under the same number: what it has announced is not to be swept. Nobody has
     * seen the beat before.
     *
     * @param isAnew whether filters are to be built, as nobody knows what they lack
     */
    private void rejoin(Session session, boolean isAnew) {
        filters.proven(null);
        isBack = false;
        boolean startsAnew = isAnew || !isReadToEnd(session);
        beat++;
        Proof.Moment sent = Proof.Moment.now(setting.clock());
        Peer joining = new Peer(id, beat, -1);
        if (!session.renew(joining)) {
            session.join(joining);
        }
        long head = session.head();
        if (startsAnew || !isReadTo(session, head)) {
            gone.clear();
            applied = head;
            filters.startAnew();
        }
        isBack = session.acknowledge(id, applied);
        if (isBack) {
            prove(sent);
        }
    }

    /** Applies the log to its end; false if a part of it is not there any more. */
    private boolean isReadToEnd(Session session) {
        return isReadTo(session, session.head());
    }

    private boolean isReadTo(Session session, long head) {
        if (head < applied) {
            return false;
        }
        while (applied < head) {
            List<Entry> entries = session.read(applied, READ_AT_ONCE);
            if (entries.isEmpty() || !isApplied(entries)) {
                return false;
            }
        }
        return true;
    }

    /** Applies entries that follow each other; false if there is a gap before them. */
    private boolean isApplied(List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.number() != applied + 1) {
                return false;
            }
            if (!entry.isGone()) {
                filters.announced(entry.hash(), () -> applied = entry.number());
            } else {
                if (gone.size() < MOST_GONE) {
                    gone.add(entry.hash());
                }
                applied = entry.number();
            }
        }
        return true;
    }

    private void follow(Session session) {
        boolean isRenewalDue =
                setting.clock().nanoTime() - renewed.nanos() >= setting.lease().toNanos() / RENEWALS;
        if (!isBack || (isRenewalDue && !isRenewed(session))) {
            rejoin(session, false);
        }
        List<Entry> entries = session.read(applied, READ_AT_ONCE);
        if (!entries.isEmpty() && !(isApplied(entries) && session.acknowledge(id, applied))) {
            rejoin(session, false);
        }
        if (isRenewalDue || announcer.isAwaited()) {
            watchPeers(session);
        }
        if (entries.size() < READ_AT_ONCE) {
            takeOutGone();
            session.await(gone.isEmpty() ? untilRenewal() : Duration.ZERO);
        }
    }

    private Duration untilRenewal() {
        long passed = setting.clock().nanoTime() - renewed.nanos();
        long left = setting.lease().toNanos() / RENEWALS - passed;
        return Duration.ofNanos(Math.max(0, Math.min(left, LONGEST_WAIT_NANOS)));
    }

    private boolean isRenewed(Session session) {
        Proof.Moment sent = Proof.Moment.now(setting.clock());
        beat++;
        if (!session.renew(new Peer(id, beat, applied))) {
            return false;
        }
        prove(sent);
        return true;
    }

    private void prove(Proof.Moment sent) {
        renewed = sent;
        filters.proven(Proof.from(sent, setting.tenths(TRUSTED_TENTHS), setting.clock()));
    }

    /** Evicts members that are silent, and tells those who wait how far the others are. */
    private void watchPeers(Session session) {
        List<Peer> all = session.peers();
        long now = setting.clock().nanoTime();
        for (Peer silent : peers.observe(all, now)) {
            if (silent.member() != id && session.evict(silent)) {
                all = session.peers();
            }
        }
        boolean isMember = all.stream().anyMatch(peer -> peer.member() == id);
        if (isMember && now - quietUntilNanos >= 0) {
            announcer.acknowledged(Peers.acknowledged(all));
        }
    }

    private void takeOutGone() {
        for (int i = 0; i < GONE_AT_ONCE && !gone.isEmpty(); i++) {
            filters.gone(gone.element());
            gone.remove();
        }
    }

    private void keepUp() {
        long turns = 0;
        long turnsBetween = Math.max(1, setting.lease().toMillis() / UPKEEP_MILLIS);
        while (pause(UPKEEP_MILLIS)) {
            keepUp(turns++ % turnsBetween == 0);
        }
        keepUp(false);
    }

    private void keepUp(boolean isSweepDue) {
        try {
            giveUpQueued();
            announcer.tellGone();
            if (isSweepDue) {
                sweep();
                place.trim(KEPT_ENTRIES);
            }
        } catch (RuntimeException e) {
            // The meeting place failed. What was not done costs members slots, and a later turn does it.
            return;
        }
    }

    private void giveUpQueued() {
        for (Entry entry = givenUp.peek(); entry != null; entry = givenUp.peek()) {
            giveUp(entry.number(), entry.hash());
            givenUp.remove();
        }
    }

    private void sweep() {
        for (Entry entry : place.abandoned()) {
            giveUp(entry.number(), entry.hash());
        }
    }

    @Override
    public void close() {
        closing.countDown();
        announcer.close();
        boolean isInterrupted = false;
        while (follower.isAlive() || upkeep.isAlive()) {
            try {
                follower.join();
                upkeep.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
