package dev.besom.lab.workload;

import dev.besom.hash.Mix;

/**
 * All the keys of an experiment, drawn from one seed and never stored: the keys that a filter holds and, apart from
 * them, the keys that it does not.
 *
 * <pre>
 *   stored(i)  = permutation(2 i)        foreign(i) = permutation(2 i + 1)
 * </pre>
 *
 * <p>The permutation of the 64-bit numbers belongs to the seed. So stored keys are distinct, foreign keys are distinct
 * and no key is both, for all indexes below 2<sup>63</sup>; and either looks uniformly random.
 *
 * @param seed what the permutation is drawn from
 */
public record KeySpace(long seed) {

    /** The word of the permutation's bit string that keys are taken from; filters take theirs from 0 upwards. */
    private static final long WORD = -2;

    /** The stored key of that index. */
    public long stored(long index) {
        return Mix.expand(index << 1, seed, WORD);
    }

    /** A key that is not stored; different indexes below 2<sup>63</sup> give different keys. */
    public long foreign(long index) {
        return Mix.expand(index << 1 | 1, seed, WORD);
    }

    /** The first stored keys. */
    public long[] stored(int count) {
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            keys[i] = stored((long) i);
        }
        return keys;
    }
}
