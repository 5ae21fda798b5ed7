package dev.besom.guard.fleet;

import dev.besom.StoredHashes;
import dev.besom.guard.store.MeetingPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** A meeting place in memory, which lets something happen before a member enters the list, and right after it. */
final class MemoryPlace implements MeetingPlace {

    private record Pending(long member, Entry entry) {}

    private final List<Entry> log = new ArrayList<>();
    private final Map<Long, Pending> pending = new TreeMap<>();
    private final Map<Long, Peer> members = new TreeMap<>();
    private long head;
    volatile Runnable beforeJoin = () -> {};
    volatile Runnable afterJoin = () -> {};

    @Override
    public long fleet() {
        return 1;
    }

    @Override
    public synchronized long append(long member, long[] announced, long[] gone) {
        for (long hash : announced) {
            Entry entry = new Entry(++head, hash, false);
            log.add(entry);
            pending.put(entry.number(), new Pending(member, entry));
        }
        for (long hash : gone) {
            log.add(new Entry(++head, hash, true));
        }
        return head;
    }

    /** Leaves a gap in the log, as somebody does who changes the store and does not follow it. */
    synchronized void leaveGap() {
        head++;
    }

    @Override
    public synchronized boolean giveUp(long number) {
        return pending.remove(number) != null;
    }

    @Override
    public synchronized List<Entry> abandoned() {
        return pending.values().stream()
                .filter(each -> !members.containsKey(each.member))
                .map(Pending::entry)
                .toList();
    }

    @Override
    public void trim(long keep) {}

    @Override
    public StoredHashes hashes(LongSupplier applied) {
        return StoredHashes.none();
    }

    /** Evicts all members, as others do after a lease. */
    synchronized void evictAll() {
        members.clear();
    }

    synchronized List<Peer> members() {
        return List.copyOf(members.values());
    }

    @Override
    public Session connect() {
        return new MemorySession();
    }

    private final class MemorySession implements Session {

        @Override
        public String incarnation() {
            return "";
        }

        @Override
        public void join(Peer joining) {
            beforeJoin.run();
            synchronized (MemoryPlace.this) {
                members.put(joining.member(), joining);
            }
            afterJoin.run();
        }

        @Override
        public void leave(long member) {
            synchronized (MemoryPlace.this) {
                members.remove(member);
            }
        }

        @Override
        public boolean renew(Peer renewed) {
            synchronized (MemoryPlace.this) {
                return members.replace(renewed.member(), renewed) != null;
            }
        }

        @Override
        public boolean acknowledge(long member, long number) {
            synchronized (MemoryPlace.this) {
                Peer peer = members.get(member);
                return peer != null && members.replace(member, new Peer(member, peer.beat(), number)) != null;
            }
        }

        @Override
        public long head() {
            synchronized (MemoryPlace.this) {
                return head;
            }
        }

        @Override
        public List<Entry> read(long after, int most) {
            synchronized (MemoryPlace.this) {
                return log.stream()
                        .filter(entry -> entry.number() > after)
                        .limit(most)
                        .toList();
            }
        }

        @Override
        public List<Peer> peers() {
            return members();
        }

        @Override
        public boolean evict(Peer seen) {
            synchronized (MemoryPlace.this) {
                Peer there = members.get(seen.member());
                return there != null && there.beat() == seen.beat() && members.remove(seen.member()) != null;
            }
        }

        @Override
        public void await(Duration atMost) {
            LockSupport.parkNanos(1_000_000);
        }

        @Override
        public void close() {}
    }
}
