package dev.besom.quotient;

import static dev.besom.quotient.ModelStep.require;
import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.testsupport.Images;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random steps against a plain multiset, with every invariant checked on the way. */
@Tag("slow")
class QuotientFilterModelTest {

    @ParameterizedTest
    @CsvSource({
        "61, 2, 0.95, 40000, 1",
        "61, 7, 0.95, 20000, 2",
        "1, 1, 0.95, 2000, 3",
        "300, 1, 0.98, 20000, 4",
        "3000, 13, 0.95, 30000, 5",
        "20000, 8, 0.95, 60000, 6",
        "5000, 32, 0.9, 20000, 7"
    })
    void everyStoredHashIsFoundAfterEveryStep(int capacity, int remainderBits, double load, int steps, long seed) {
        run(capacity, remainderBits, load, steps, seed);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"61, 2, 0.95, 50000000, 11", "300, 3, 0.98, 40000000, 12", "20000, 8, 0.95, 10000000, 13"})
    void everyStoredHashIsFoundAfterEveryOfVeryManySteps(
            int capacity, int remainderBits, double load, int steps, long seed) {
        run(capacity, remainderBits, load, steps, seed);
    }

    private static void run(int capacity, int remainderBits, double load, int steps, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FilterSpec spec = FilterSpec.of(capacity, 0.01)
                .withSeed(seed)
                .with("load", Double.toString(load))
                .with("remainderBits", Integer.toString(remainderBits));
        QuotientFilter filter = QuotientFilter.make(spec);
        SortedHashes model = new SortedHashes();
        for (int step = 0; step < steps; step++) {
            int choice = random.nextInt(1000);
            boolean mostlyInserts = (step / (2 * capacity + 10) & 1) == 0;
            if (choice < (mostlyInserts ? 700 : 300)) {
                long hash = model.size() > 0 && random.nextInt(10) == 0
                        ? model.at(random.nextInt(model.size()))
                        : random.nextLong();
                boolean maybe = filter.mightContainHash(hash);
                long before = filter.countOfHash(hash);
                try {
                    require(filter.insertHash(hash) == !maybe, "took a new hash for an old one", step, seed);
                    model.add(hash);
                    require(filter.countOfHash(hash) == before + 1, "counts an insert wrongly", step, seed);
                } catch (FilterFullException full) {
                    require(model.size() >= capacity, "is full too early", step, seed);
                    require(filter.countOfHash(hash) == before, "took a hash that it refused", step, seed);
                }
            } else if (choice < 995) {
                if (model.size() > 0) {
                    long hash = model.removeAt(random.nextInt(model.size()));
                    require(filter.deleteHash(hash), "could not delete a stored hash", step, seed);
                }
            } else if (choice < 998) {
                filter = QuotientFilter.read(Images.copy(filter.image()));
            } else {
                filter = filter.grown(capacity, model);
            }
            require(filter.count() == model.size(), "counts wrongly", step, seed);
            if (capacity < 100 || step % 500 == 0) {
                checkAll(filter, model, step, seed);
            }
        }
        checkAll(filter, model, steps, seed);
    }

    private static void checkAll(QuotientFilter filter, SortedHashes model, int step, long seed) {
        filter.checkInvariants();
        int size = model.size();
        for (int i = 0, next; i < size; i = next) {
            long hash = model.at(i);
            next = i + 1;
            while (next < size && model.at(next) == hash) {
                next++;
            }
            require(filter.mightContainHash(hash) && filter.countOfHash(hash) >= next - i, "lost a hash", step, seed);
        }
    }

    @Test
    void aRunLongerThanAnOffsetHoldsStaysWhole() {
        FilterSpec spec = FilterSpec.of(4000, 0.01);
        QuotientFilter filter = QuotientFilter.make(spec);
        SplittableRandom random = new SplittableRandom(5);
        long hot = random.nextLong() >>> 1;
        long[] others = random.longs(500).toArray();
        for (long other : others) {
            filter.insertHash(other);
        }
        for (int i = 0; i < 1500; i++) {
            filter.insertHash(hot);
            if (i % 50 == 0) {
                filter.checkInvariants();
            }
        }
        for (int i = 0; i < 1500; i++) {
            assertThat(filter.countOfHash(hot)).isGreaterThanOrEqualTo(1500 - i);
            assertThat(filter.deleteHash(hot)).isTrue();
            if (i % 50 == 0) {
                filter.checkInvariants();
                for (long other : others) {
                    assertThat(filter.mightContainHash(other)).isTrue();
                }
            }
        }
        assertThat(filter.count()).isEqualTo(500);
    }

    @Test
    void aFilterThatIsFullAtItsEndStaysAsItWas() {
        QuotientFilter filter = QuotientFilter.make(FilterSpec.of(500, 0.01));
        int in = 0;
        try {
            for (; in < 500; in++) {
                filter.insertHash(-1L - in);
            }
        } catch (FilterFullException full) {
            filter.checkInvariants();
        }
        assertThat(in).isLessThan(500);
        assertThat(filter.count()).isEqualTo(in);
        for (int i = 0; i < in; i++) {
            assertThat(filter.mightContainHash(-1L - i)).isTrue();
        }
        assertThat(filter.insertHash(0)).isTrue();
    }
}
