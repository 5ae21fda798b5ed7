package dev.besom.quotient;

import dev.besom.StoredHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** A plain ordered multiset of hashes, for tests. */
final class SortedHashes implements StoredHashes {

    private final TreeMap<Long, Integer> counts = new TreeMap<>(Long::compareUnsigned);
    private final List<Long> listed = new ArrayList<>();

    void add(long hash) {
        counts.merge(hash, 1, Integer::sum);
        listed.add(hash);
    }

    /** Takes one of the hashes out and returns it. */
    long removeAt(int index) {
        long hash = listed.get(index);
        listed.set(index, listed.get(listed.size() - 1));
        listed.remove(listed.size() - 1);
        counts.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
        return hash;
    }

    /** Takes one occurrence of a hash out. */
    void remove(long hash) {
        removeAt(listed.indexOf(hash));
    }

    long at(int index) {
        return listed.get(index);
    }

    int size() {
        return listed.size();
    }

    boolean contains(long hash) {
        return counts.containsKey(hash);
    }

    int countOf(long hash) {
        return counts.getOrDefault(hash, 0);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        counts.subMap(lo, true, hi, true).forEach((hash, count) -> {
            for (int i = 0; i < count; i++) {
                action.accept(hash);
            }
        });
    }

    @Override
    public long count() {
        return listed.size();
    }
}
