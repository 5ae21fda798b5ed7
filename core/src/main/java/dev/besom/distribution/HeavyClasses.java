package dev.besom.distribution;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table of the heavy hitters of two streams; those with counts of one octave in both share a class. */
final class HeavyClasses {

    /** Fewer repetitions than this a sketch can tell as well. */
    private static final int LEAST_COUNT = 8;

    private final Map<Long, Integer> classOfHash = new TreeMap<>();
    private final int classCount;

    /** @param firstClass the number of the first class that may be used */
    HeavyClasses(HeavyHitters keys, HeavyHitters queries, int firstClass) {
        collect(keys);
        collect(queries);
        Map<Integer, Integer> classOfOctaves = new TreeMap<>();
        classOfHash.replaceAll((hash, none) -> {
            int octaves = octave(keys.count(hash)) << 8 | octave(queries.count(hash));
            Integer known = classOfOctaves.putIfAbsent(octaves, firstClass + classOfOctaves.size());
            return known == null ? firstClass + classOfOctaves.size() - 1 : known;
        });
        classCount = firstClass + classOfOctaves.size();
    }

    private void collect(HeavyHitters heavy) {
        for (int place = 0; place < heavy.size(); place++) {
            if (heavy.countAt(place) >= LEAST_COUNT) {
                classOfHash.put(heavy.hash(place), 0);
            }
        }
    }

    private static int octave(int count) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(count);
    }

    int classCount() {
        return classCount;
    }

    @Nullable
    ClassTable table() {
        if (classOfHash.isEmpty()) {
            return null;
        }
        return new ClassTable(
                classOfHash.keySet().stream().mapToLong(Long::longValue).toArray(),
                classOfHash.values().stream().mapToInt(Integer::intValue).toArray());
    }
}
