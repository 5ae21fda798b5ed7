package dev.besom.lab.experiment;

import dev.besom.lab.race.KeySet;
import java.util.Arrays;

/**
 * Which keys a filter has denied since it was changed last. It would deny them again, because a query never writes, so a
 * long stream of few different keys need not be asked in full.
 *
 * <p>A key's byte is the version of the filter that denied it. Versions go round from 1 to 255, and 0 is none.
 */
final class Denials {

    /** Keys beyond that many are asked for each time, so that memory is bounded: a byte a key and filter. */
    private static final int MOST_KEYS = 1 << 20;

    private byte[] versions = new byte[1 << 10];
    private byte version = 1;

    /** The key's number for the other methods, which is put into the set while there is room; -1 if it has none. */
    static int number(KeySet keys, long key) {
        return keys.size() < MOST_KEYS ? keys.numberOf(key) : keys.find(key);
    }

    boolean has(int number) {
        return number >= 0 && number < versions.length && versions[number] == version;
    }

    void add(int number) {
        if (number >= versions.length) {
            versions = Arrays.copyOf(versions, Math.max(number + 1, 2 * versions.length));
        }
        if (number >= 0) {
            versions[number] = version;
        }
    }

    /** The filter was changed. */
    void forget() {
        version++;
        if (version == 0) {
            Arrays.fill(versions, (byte) 0);
            version = 1;
        }
    }
}
