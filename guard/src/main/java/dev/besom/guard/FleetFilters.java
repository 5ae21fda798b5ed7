package dev.besom.guard;

import dev.besom.guard.fleet.Following;
import dev.besom.guard.fleet.Proof;
import dev.besom.guard.shard.Shard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shards of a guard as those see them who tell it what others have stored. */
final class FleetFilters<K> implements Following {

    private final Gate gate;
    private final List<Shard<K>> shards;
    private final int shift;
    private final Runnable priming;
    private volatile boolean isOpen;

    /**
     * @param priming primes all shards, patiently
     */
    FleetFilters(Gate gate, List<Shard<K>> shards, Runnable priming) {
        this.gate = gate;
        this.shards = shards;
        this.shift = Long.numberOfLeadingZeros(shards.size()) + 1;
        this.priming = priming;
    }

    /** Says that whoever opens the guard has primed it, or has begun to. */
    void opened() {
        isOpen = true;
    }

    private Shard<K> shardOf(long hash) {
        return shards.get((int) (hash >>> shift));
    }

    @Override
    public void announced(long hash, Runnable then) {
        shardOf(hash).announceHash(hash, then);
    }

    @Override
    public void gone(long hash) {
        shardOf(hash).releaseHash(hash);
    }

    @Override
    public void startAnew() {
        shards.forEach(Shard::drop);
        if (isOpen) {
            Thread thread = new Thread(priming, "besom-priming");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void proven(@Nullable Proof proof) {
        gate.prove(proof);
    }
}
