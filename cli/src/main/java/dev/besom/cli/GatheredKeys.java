package dev.besom.cli;

import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import java.io.IOException;
import java.util.Arrays;

/** All keys of some files in memory, in their order: as hashes, or as the numbers they are. */
final class GatheredKeys {

    private long[] numbers = new long[1 << 10];
    private int count;

    private GatheredKeys() {}

    private void add(long number) {
        if (count == numbers.length) {
            if (count > 1 << 29) {
                throw new InputException("KEYS: more than can be held in memory");
            }
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = number;
    }

    /** The hashes of all keys. */
    static long[] hashes(KeyFiles files, KeyLayout layout, KeyHashing hashing) throws IOException {
        GatheredKeys gathered = new GatheredKeys();
        files.forEachBatch(layout, hashing, (batch, size) -> {
            for (int i = 0; i < size; i++) {
                gathered.add(batch.hashes()[i]);
            }
        });
        return Arrays.copyOf(gathered.numbers, gathered.count);
    }

    /**
     * The hashes of keys that are not in a list, by their files under {@code --no}.
     *
     * @throws InputException if a key is in the list all the same
     */
    static long[] others(KeyFiles files, KeyLayout layout, KeyHashing hashing, long[] listed) throws IOException {
        long[] others = hashes(files, layout, hashing);
        long[] sorted = listed.clone();
        Arrays.sort(sorted);
        int both = 0;
        int first = 0;
        for (int i = others.length - 1; i >= 0; i--) {
            if (Arrays.binarySearch(sorted, others[i]) >= 0) {
                both++;
                first = i + 1;
            }
        }
        if (both > 0) {
            throw new InputException("--no: " + Numbers.whole(both) + " of its " + Numbers.whole(others.length)
                    + " keys, the first of them key " + Numbers.whole(first) + ", are in the list (--yes) too");
        }
        return others;
    }

    /** The whole numbers of text files, one a line. */
    static long[] numbers(KeyFiles files) throws IOException {
        GatheredKeys gathered = new GatheredKeys();
        files.forEachBatch(
                KeyLayout.of(KeyFormat.LONG_TEXT), KeyHashing.seeded(KeyFormat.LONG_TEXT, 0), (batch, size) -> {
                    for (int i = 0; i < size; i++) {
                        gathered.add((Long) batch.key(i));
                    }
                });
        return Arrays.copyOf(gathered.numbers, gathered.count);
    }
}
