package dev.besom.lab.workload;

import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/** Keys at hand, as a source of a name and a command line's words. */
public final class KeyList implements KeySource {

    private final List<String> words;
    private final long[] keys;

    /** @param words the name, and what else stands on the command line */
    public KeyList(List<String> words, long... keys) {
        this.words = words;
        this.keys = keys;
    }

    /** Keys of that name. */
    public static KeyList of(String name, long... keys) {
        return new KeyList(List.of(name), keys);
    }

    @Override
    public String name() {
        return words.get(0);
    }

    @Override
    public List<String> words() {
        return words;
    }

    @Override
    public QueryStream open() {
        PrimitiveIterator.OfLong next = LongStream.of(keys).iterator();
        return new QueryStream() {
            @Override
            public boolean hasNext() {
                return next.hasNext();
            }

            @Override
            public long next() {
                return next.nextLong();
            }
        };
    }
}
