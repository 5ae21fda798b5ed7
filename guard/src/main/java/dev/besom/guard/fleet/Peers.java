package dev.besom.guard.fleet;

import dev.besom.guard.store.MeetingPlace.Peer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The members of a fleet as one of them sees them. No clock but the observer's own counts: a member is silent for as long as
 * its beat has been seen to stay the same.
 *
 * <pre>
 *   member     renewal sent, trusted from here | committed with beat b |
 *   observer                                                             | beat b first seen, silent from here
 * </pre>
 *
 * So a member's own trust in a lease ends before anybody takes it for dead, whatever the database's clock says.
 */
final class Peers {

    private record Sighting(long beat, long sinceNanos) {}

    private final Map<Long, Sighting> sightings = new HashMap<>();
    private final long patienceNanos;

    /**
     * @param patienceNanos after how long a silence a member is taken for dead
     */
    Peers(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** Notes what was seen, and returns those that have been silent for too long. */
    List<Peer> observe(List<Peer> seen, long nowNanos) {
        Set<Long> there = seen.stream().map(Peer::member).collect(Collectors.toSet());
        sightings.keySet().retainAll(there);
        return seen.stream().filter(peer -> isSilent(peer, nowNanos)).toList();
    }

    private boolean isSilent(Peer peer, long nowNanos) {
        Sighting last = sightings.get(peer.member());
        if (last == null || last.beat != peer.beat()) {
            sightings.put(peer.member(), new Sighting(peer.beat(), nowNanos));
            return false;
        }
        return nowNanos - last.sinceNanos > patienceNanos;
    }

    /** Up to which entry all of these have acknowledged the log. */
    static long acknowledged(List<Peer> peers) {
        return peers.stream().mapToLong(Peer::acknowledged).min().orElse(-1);
    }
}
