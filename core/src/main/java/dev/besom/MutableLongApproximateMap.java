package dev.besom;

/**
 * A map from hashes to numbers whose entries come and go. It cannot tell a hash that was put in from one that only looks like
 * it, so its caller has to know what is there: whoever puts a hash in twice has to remove it twice, and whoever removes or
 * replaces what was never put in may hit the entry of another hash.
 */
public interface MutableLongApproximateMap extends LongApproximateMap {

    /**
     * Puts in a hash that is not there, with its value.
     *
     * @return true if the map had no value for the hash just before, so that it is certainly new
     * @throws IllegalArgumentException if the value is negative or has more bits than {@link #valueBits()}
     * @throws FilterFullException if there is no room; the map is unchanged then
     */
    boolean putHash(long hash, long value);

    /**
     * Gives a hash that was put in before another value.
     *
     * @return false, and no change, where nothing matched
     * @throws IllegalArgumentException if the value is negative or has more bits than {@link #valueBits()}
     */
    boolean replaceHash(long hash, long value);

    /**
     * Takes out a hash that was put in before, with its value.
     *
     * @return false, and no change, where nothing matched
     */
    boolean removeHash(long hash);
}
