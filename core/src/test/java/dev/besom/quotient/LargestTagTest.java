package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A slot whose tag has become larger than its form can hold. */
class LargestTagTest {

    private static final int KEYS = 50;

    private final SortedHashes stored = new SortedHashes();
    private final SplittableRandom random = new SplittableRandom(20210906);

    /** A query that hits a slot of the quotient of a key. */
    private long collision(TaggedFilter filter, long key) {
        long quotient = filter.keys.quotient(key);
        long first = filter.keys.firstHash(quotient);
        long span = filter.keys.lastHash(quotient) - first;
        long query = first + random.nextLong(span);
        while (stored.contains(query) || !filter.mightContainHash(query)) {
            query = first + random.nextLong(span);
        }
        return query;
    }

    private static boolean isAloneInItsRun(TaggedFilter filter, long key) {
        long quotient = filter.keys.quotient(key);
        long end = filter.runs.runEnd(quotient);
        return filter.runs.runStart(quotient, end) == end;
    }

    private static long tagged(TaggedFilter filter) {
        List<Long> histogram = filter.tagStatistics().histogram();
        return histogram.stream().skip(1).mapToLong(slots -> slots).sum();
    }

    @ParameterizedTest
    @CsvSource({
        "telescoping, '', 80",
        "telescoping-plain, '', 280",
        "telescoping-compact, enumerative, 80",
        "telescoping-compact, shift, 30",
        "telescoping-compact, general, 80"
    })
    void givesUpItsOwnRepairsAndNotThoseOfItsBlock(String kind, String code, int repairs) {
        FilterSpec spec = FilterSpec.of(KEYS, 0.1).with("remainderBits", "5");
        if (!kind.equals("telescoping-plain")) {
            spec = spec.with("spill", "0");
        }
        if (!code.isEmpty()) {
            spec = spec.with("code", code);
        }
        TaggedFilter filter = Filters.makeHashFilter(kind, spec, stored, TaggedFilter.class);
        long[] keys = random.longs(KEYS).toArray();
        for (long key : keys) {
            stored.add(key);
            filter.insertHash(key);
        }
        long target = Arrays.stream(keys)
                .filter(key -> isAloneInItsRun(filter, key))
                .findFirst()
                .orElseThrow();
        Arrays.stream(keys)
                .filter(key -> filter.keys.quotient(key) != filter.keys.quotient(target))
                .limit(3)
                .forEach(key -> filter.repairHash(collision(filter, key)));
        long others = tagged(filter);
        // These have a largest tag that takes little room. Others are short of room before.
        boolean hasRoom = kind.equals("telescoping-plain") || code.equals("shift");
        int forgot = 0;
        for (int i = 0; i < repairs; i++) {
            Adaptation answer = filter.repairHash(collision(filter, target));
            assertThat(answer).isNotEqualTo(Adaptation.INSEPARABLE);
            forgot += answer == Adaptation.FORGOT ? 1 : 0;
            if (hasRoom) {
                assertThat(tagged(filter)).as("tags after repair %d", i).isGreaterThanOrEqualTo(others);
                assertThat(filter.tagStatistics().forgotten()).isEqualTo(forgot);
            }
        }
        assertThat(forgot).isPositive();
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
        filter.checkInvariants();
    }
}
