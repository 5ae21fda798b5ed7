package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.EntrySource;
import dev.besom.FilterFullException;
import dev.besom.LongApproximateMap;
import dev.besom.MutableLongApproximateMap;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentMap;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every map's test inherits: the promises of {@link LongApproximateMap}, and of {@link MutableLongApproximateMap} where a
 * map has it, each as a test, at each point of the grid that the test names. A map is a filter too and keeps
 * {@link FilterContract}.
 */
public abstract class MapContract {

    private static final int QUERIES = 100_000;
    private static final int FEWEST_KEYS_FOR_RATES = 1_000;
    private static final int STEPS = 3_000;

    /** JUnit makes the test that extends this. */
    protected MapContract() {}

    /** The maps to test. */
    protected abstract Stream<MapSubject> subjects();

    @FunctionalInterface
    private interface Check {
        void run(MapSubject subject) throws IOException;
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    final Stream<DynamicNode> everyPromiseOfItsInterfacesIsKept() {
        return subjects()
                .map(subject -> DynamicContainer.dynamicContainer(
                        subject.toString(),
                        promisesOf(subject).entrySet().stream()
                                .map(promise -> DynamicTest.dynamicTest(
                                        promise.getKey(),
                                        () -> promise.getValue().run(subject)))));
    }

    private static Map<String, Check> promisesOf(MapSubject subject) {
        Map<String, Check> promises = new LinkedHashMap<>();
        promises.put("every key has its value", MapContract::everyKeyHasItsValue);
        promises.put("other keys are absent but for the rate", MapContract::othersAreAbsent);
        promises.put("a map without keys has no values", MapContract::noKeysNoValues);
        promises.put("bulk values are the single values", MapContract::bulkEqualsSingle);
        promises.put("a map read back has the same values", MapContract::readBack);
        promises.put("the order of the entries does not matter", MapContract::orderDoesNotMatter);
        promises.put("an entry may repeat", MapContract::repeatedEntries);
        promises.put("a key with two values is refused", MapContract::twoValuesAreRefused);
        promises.put("a value that is too large is refused", MapContract::largeValuesAreRefused);
        promises.put("the width of values is that of the largest one", MapContract::widthFollowsValues);
        if (subject.isA(MutableLongApproximateMap.class)) {
            promises.put("a random life is that of a map", MapContract::randomLife);
            promises.put("a full map refuses and changes nothing", MapContract::fullMapRefuses);
        }
        return promises;
    }

    private static void assertValues(LongApproximateMap map, long[] keys, long[] values) {
        for (int i = 0; i < keys.length; i++) {
            assertThat(map.valueOfHash(keys[i])).as("value of key %d", i).isEqualTo(values[i]);
            assertThat(map.mightContainHash(keys[i])).isTrue();
        }
    }

    private static void everyKeyHasItsValue(MapSubject subject) {
        long[] keys = subject.keys(1);
        long[] values = subject.values(1);
        PersistentMap map = subject.build(keys, values);
        assertThat(map.valueBits()).isEqualTo(subject.valueBits());
        assertThat(map.count()).isEqualTo(keys.length);
        assertValues(map, keys, values);
        long[] extremes = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};
        long[] theirs = {0, subject.largestValue(), 0, subject.largestValue(), 0};
        assertValues(subject.build(extremes, theirs), extremes, theirs);
    }

    private static void othersAreAbsent(MapSubject subject) {
        PersistentMap map = subject.build(subject.keys(2), subject.values(2));
        long seed = subject.seed(3);
        HashStream fresh = HashStream.fresh(seed);
        long found = 0;
        for (int i = 0; i < QUERIES; i++) {
            long value = map.valueOfHash(fresh.next());
            assertThat(value).isBetween(LongApproximateMap.ABSENT, subject.largestValue());
            found += value == LongApproximateMap.ABSENT ? 0 : 1;
        }
        if (subject.capacity() >= FEWEST_KEYS_FOR_RATES) {
            Rates.assertRate(seed, found, QUERIES, map.expectedFpp(), 0);
            assertThat(map.expectedFpp()).isLessThan(1.2 * subject.spec().fpp());
        }
    }

    private static void noKeysNoValues(MapSubject subject) {
        PersistentMap map = subject.build(new long[0], new long[0]);
        HashStream fresh = HashStream.fresh(subject.seed(4));
        for (int i = 0; i < 1_000; i++) {
            assertThat(map.valueOfHash(fresh.next())).isEqualTo(LongApproximateMap.ABSENT);
        }
        assertThat(map.count()).isZero();
        assertThat(map.expectedFpp()).isZero();
    }

    private static void bulkEqualsSingle(MapSubject subject) {
        long[] keys = subject.keys(5);
        PersistentMap map = subject.build(keys, subject.values(5));
        long[] queries = HashStream.fresh(subject.seed(6)).next(500);
        for (int i = 0; i < queries.length; i += 2) {
            queries[i] = keys[i % keys.length];
        }
        long[] values = new long[queries.length];
        Arrays.fill(values, 77);
        map.valuesOfHashes(queries, 3, 400, values);
        for (int i = 0; i < values.length; i++) {
            assertThat(values[i]).isEqualTo(i < 400 ? map.valueOfHash(queries[i + 3]) : 77);
        }
        assertThatThrownBy(() -> map.valuesOfHashes(queries, 400, 200, values))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> map.valuesOfHashes(queries, 0, 10, new long[9]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException()
                .as("hashes that are not answered yet are not overwritten")
                .isThrownBy(() -> map.valuesOfHashes(queries, 0, 10, queries));
    }

    private static PersistentMap again(PersistentMap map) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Filters.writeHashFilter(map, HasherStamp.NONE, out);
        return (PersistentMap) Filters.readHashFilter(new ByteArrayInputStream(out.toByteArray()))
                .filter();
    }

    private static void readBack(MapSubject subject) throws IOException {
        long[] keys = subject.keys(7);
        long[] values = subject.values(7);
        PersistentMap map = subject.build(keys, values);
        PersistentMap again = again(map);
        assertThat(again.valueBits()).isEqualTo(map.valueBits());
        assertValues(again, keys, values);
        HashStream fresh = HashStream.fresh(subject.seed(8));
        for (int i = 0; i < 20_000; i++) {
            long query = fresh.next();
            assertThat(again.valueOfHash(query)).isEqualTo(map.valueOfHash(query));
        }
    }

    private static void orderDoesNotMatter(MapSubject subject) {
        long[] keys = subject.keys(9);
        long[] values = subject.values(9);
        long[] keysBack = new long[keys.length];
        long[] valuesBack = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            keysBack[i] = keys[keys.length - 1 - i];
            valuesBack[i] = values[keys.length - 1 - i];
        }
        State.of(subject.build(keys, values)).assertStillThatOf(subject.build(keysBack, valuesBack));
    }

    private static void repeatedEntries(MapSubject subject) {
        long[] keys = subject.keys(10);
        long[] values = subject.values(10);
        long[] keysTwice = Arrays.copyOf(keys, 2 * keys.length);
        long[] valuesTwice = Arrays.copyOf(values, 2 * keys.length);
        System.arraycopy(keys, 0, keysTwice, keys.length, keys.length);
        System.arraycopy(values, 0, valuesTwice, keys.length, keys.length);
        PersistentMap map = subject.build(keysTwice, valuesTwice);
        assertThat(map.count()).isEqualTo(keys.length);
        assertValues(map, keys, values);
    }

    private static void twoValuesAreRefused(MapSubject subject) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> subject.build(new long[] {1, 2, 1}, new long[] {0, 0, 1}))
                .withMessageContaining("two values");
    }

    private static void largeValuesAreRefused(MapSubject subject) {
        for (long value : new long[] {-1, subject.largestValue() + 1, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .as("value %d", value)
                    .isThrownBy(() -> subject.build(new long[] {1, 2}, new long[] {0, value}));
        }
    }

    private static void widthFollowsValues(MapSubject subject) {
        long[] keys = {1, 2, 3};
        PersistentMap map = subject.kind().buildMap(subject.spec(), EntrySource.of(keys, new long[] {
            0, subject.largestValue(), 0
        }));
        assertThat(map.valueBits()).isEqualTo(subject.valueBits());
    }

    private static MutableLongApproximateMap empty(MapSubject subject) {
        return (MutableLongApproximateMap) subject.kind().make(subject.sized(), StoredHashes.none());
    }

    /** Entries come, change and go; whatever is there has its value at any time. */
    private static void randomLife(MapSubject subject) throws IOException {
        MutableLongApproximateMap map = empty(subject);
        HashStream draws = HashStream.fresh(subject.seed(11));
        HashStream keys = HashStream.stored(subject.seed(12));
        Map<Long, Long> model = new LinkedHashMap<>();
        List<Long> present = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            long value = draws.next() >>> (Long.SIZE - subject.valueBits());
            long draw = Long.remainderUnsigned(draws.next(), 10);
            if (present.isEmpty() || (draw < 5 && present.size() < subject.capacity())) {
                long key = keys.next();
                map.putHash(key, value);
                model.put(key, value);
                present.add(key);
            } else {
                int index = (int) Long.remainderUnsigned(draws.next(), present.size());
                long key = present.get(index);
                if (draw < 7) {
                    assertThat(map.replaceHash(key, value)).isTrue();
                    model.put(key, value);
                } else {
                    assertThat(map.removeHash(key)).isTrue();
                    model.remove(key);
                    present.set(index, present.get(present.size() - 1));
                    present.remove(present.size() - 1);
                }
            }
            assertThat(map.count()).isEqualTo(model.size());
            if (step % 500 == 0) {
                map = (MutableLongApproximateMap) again((PersistentMap) map);
                for (Map.Entry<Long, Long> entry : model.entrySet()) {
                    assertThat(map.valueOfHash(entry.getKey())).isEqualTo(entry.getValue());
                }
            }
        }
        for (long key : present) {
            assertThat(map.valueOfHash(key)).isEqualTo(model.get(key));
            assertThat(map.removeHash(key)).isTrue();
        }
        assertThat(map.count()).isZero();
        assertThat(map.expectedFpp()).isZero();
    }

    private static void fullMapRefuses(MapSubject subject) {
        MutableLongApproximateMap map = empty(subject);
        long[] keys = subject.keys(13);
        long[] values = subject.values(13);
        for (int i = 0; i < keys.length; i++) {
            map.putHash(keys[i], values[i]);
        }
        State before = State.of(map);
        assertThatThrownBy(() -> map.putHash(HashStream.fresh(subject.seed(14)).next(), 0))
                .isInstanceOf(FilterFullException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> map.replaceHash(keys[0], subject.largestValue() + 1));
        before.assertStillThatOf(map);
        assertValues(map, keys, values);
    }
}
