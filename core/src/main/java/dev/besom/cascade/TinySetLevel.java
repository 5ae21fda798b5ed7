package dev.besom.cascade;

import dev.besom.compact.TinySetFilter;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * A TinySet as a level.
 *
 * <pre>
 *   hash     | upper 32 bits           | lower 32 bits               |
 *   mixed    | the same: say the block | drawn by the level's seed   |      what the TinySet takes for its own mixed hash
 * </pre>
 *
 * TinySets choose blocks by hashes that they have mixed, in which order nobody stores hashes. So the level undoes that
 * mixing before. Two levels draw lower bits of their own, and are mistaken independently.
 *
 * <p>The fingerprints of a TinySet get shorter as blocks fill. The numbers of this level have about as many bits as
 * those of a full block, so that the key that was mistaken nearly always moves, and hardly any other with it.
 */
final class TinySetLevel implements SingleHashFilter {

    private static final long LOW = 0xFFFFFFFFL;

    /** The longest fingerprint that a TinySet has. */
    private static final int MOST_BITS = 30;

    /** Fingerprints of full blocks have a bit or two less than a rate has for a chain of one slot. */
    private static final int FEWER_BITS = 2;

    private final TinySetFilter filter;
    private final long seed;
    private final int fingerprintBits;

    /**
     * @param rate for which the filter is planned: that of one slot a chain
     */
    TinySetLevel(TinySetFilter filter, long seed, double rate) {
        this.filter = filter;
        this.seed = Mix.mix(seed);
        this.fingerprintBits = Math.max(1, Math.min(MOST_BITS, Math.getExponent(1 / rate) - FEWER_BITS));
    }

    private long mixed(long hash) {
        return (hash & ~LOW) | (Mix.mix(hash + seed) & LOW);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainHash(filter.unmixed(mixed(hash)));
    }

    @Override
    public void insertHash(long hash) {
        filter.insertHash(filter.unmixed(mixed(hash)));
    }

    @Override
    public void deleteHash(long hash) {
        filter.deleteHash(filter.unmixed(mixed(hash)));
    }

    @Override
    public long fingerprint(long hash) {
        return filter.fingerprint(mixed(hash), fingerprintBits);
    }

    @Override
    public long fingerprintCount() {
        return filter.fingerprintCount(fingerprintBits);
    }

    @Override
    public double foundShare(long fingerprint) {
        return filter.foundShare(fingerprint, fingerprintBits);
    }

    @Override
    public long firstAlike(long hash) {
        return filter.firstMixed(mixed(hash)) & ~LOW;
    }

    @Override
    public long lastAlike(long hash) {
        return filter.lastMixed(mixed(hash)) | LOW;
    }

    @Override
    public boolean hasEntryBeside(long hash, long[] others) {
        long[] unmixed =
                Arrays.stream(others).map(other -> filter.unmixed(mixed(other))).toArray();
        return filter.hasSlotBeside(filter.unmixed(mixed(hash)), unmixed);
    }

    @Override
    public TinySetFilter filter() {
        return filter;
    }
}
