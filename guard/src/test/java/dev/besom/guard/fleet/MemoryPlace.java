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

/** A meeting place in memory, which lets something happen before a member enters the list. */
final class MemoryPlace implements MeetingPlace {

    private final List<Entry> log = new ArrayList<>();
    private final Map<Long, Entry> pending = new TreeMap<>();
    private final Map<Long, Peer> members = new TreeMap<>();
    volatile Runnable beforeJoin = () -> {};

    @Override
    public long fleet() {
        return 1;
    }

    @Override
    public synchronized long append(long member, long[] announced, long[] gone) {
        for (long hash : announced) {
            Entry entry = new Entry(log.size() + 1L, hash, false);
            log.add(entry);
            pending.put(entry.number(), entry);
        }
        for (long hash : gone) {
            log.add(new Entry(log.size() + 1L, hash, true));
        }
        return log.size();
    }

    @Override
    public synchronized boolean giveUp(long number) {
        return pending.remove(number) != null;
    }

    @Override
    public List<Entry> abandoned() {
        return List.of();
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
        public void join(long member) {
            beforeJoin.run();
            synchronized (MemoryPlace.this) {
                members.put(member, new Peer(member, 0, -1));
            }
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
                return log.size();
            }
        }

        @Override
        public List<Entry> read(long after, int most) {
            synchronized (MemoryPlace.this) {
                return List.copyOf(log.subList((int) after, (int) Math.min(log.size(), after + most)));
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
