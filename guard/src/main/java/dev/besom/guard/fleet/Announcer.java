package dev.besom.guard.fleet;

import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.StoreException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Announces hashes to a fleet, and waits until every member has them. Callers who come while others are being appended go
 * together with the next batch, so any number of puts share a round trip.
 */
final class Announcer {

    /** Entries of one batch: it is one statement, and everybody waits for it. */
    private static final int MOST = 1000;

    private final MeetingPlace place;
    private final LongSupplier member;
    private final ReentrantLock appending = new ReentrantLock();

    // Guarded by this.
    private final Deque<Ticket> queue = new ArrayDeque<>();
    private final Deque<Long> gone = new ArrayDeque<>();
    private long acknowledged = -1;
    private int waiting;
    private boolean isClosed;

    /** Hashes of one caller. */
    private static final class Ticket {
        private final long[] hashes;
        private long first = -1;
        private @Nullable RuntimeException failure;

        Ticket(long[] hashes) {
            this.hashes = hashes;
        }

        boolean isDone() {
            return first >= 0 || failure != null;
        }
    }

    /**
     * @param member the number under which hashes are announced
     */
    Announcer(MeetingPlace place, LongSupplier member) {
        this.place = place;
        this.member = member;
    }

    /** Appends announcements of hashes to the log, and returns the number of the first one. */
    long append(long[] hashes) {
        Ticket ticket = new Ticket(hashes);
        synchronized (this) {
            queue.add(ticket);
        }
        appending.lock();
        try {
            while (!ticket.isDone()) {
                appendBatch();
            }
        } finally {
            appending.unlock();
        }
        if (ticket.failure != null) {
            throw new StoreException("cannot announce", ticket.failure);
        }
        return ticket.first;
    }

    /** Appends what is queued; the caller holds the lock. */
    private void appendBatch() {
        Deque<Ticket> batch = new ArrayDeque<>();
        int size = 0;
        synchronized (this) {
            while (!queue.isEmpty() && (batch.isEmpty() || size + queue.element().hashes.length <= MOST)) {
                Ticket next = queue.remove();
                size += next.hashes.length;
                batch.add(next);
            }
        }
        long[] hashes = new long[size];
        int at = 0;
        for (Ticket ticket : batch) {
            System.arraycopy(ticket.hashes, 0, hashes, at, ticket.hashes.length);
            at += ticket.hashes.length;
        }
        try {
            long number = place.append(member.getAsLong(), hashes, new long[0]) - size + 1;
            for (Ticket ticket : batch) {
                ticket.first = number;
                number += ticket.hashes.length;
            }
        } catch (RuntimeException e) {
            batch.forEach(ticket -> ticket.failure = e);
        }
    }

    /** Whether somebody waits for members. */
    synchronized boolean isAwaited() {
        return waiting > 0;
    }

    /** Waits until all members have acknowledged the log up to an entry. */
    synchronized void await(long number, long atMostNanos) throws TimeoutException {
        long start = System.nanoTime();
        waiting++;
        try {
            while (acknowledged < number) {
                long left = (atMostNanos - (System.nanoTime() - start)) / 1_000_000;
                if (isClosed) {
                    throw new IllegalStateException("the guard is closed");
                }
                if (left <= 0) {
                    throw new TimeoutException("the members of the fleet have not acknowledged a new key");
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a new key was announced", e);
        } finally {
            waiting--;
        }
    }

    /** Says up to which entry all members have acknowledged the log. */
    synchronized void acknowledged(long number) {
        if (number > acknowledged) {
            acknowledged = number;
            notifyAll();
        }
    }

    /** Numbers may begin anew: nothing is acknowledged. */
    synchronized void restart() {
        acknowledged = -1;
    }

    /** Queues a hash of which one copy is gone. */
    synchronized void addGone(long hash) {
        gone.add(hash);
    }

    /** Tells the members what is gone. Where that fails it is never told, which costs them a slot. */
    void tellGone() {
        long[] hashes;
        synchronized (this) {
            hashes = gone.stream().limit(MOST).mapToLong(Long::longValue).toArray();
            Arrays.stream(hashes).forEach(hash -> gone.remove());
        }
        if (hashes.length > 0) {
            place.append(member.getAsLong(), new long[0], hashes);
        }
    }

    synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
