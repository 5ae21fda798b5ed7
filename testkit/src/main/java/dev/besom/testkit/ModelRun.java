package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A long random life of one filter beside a plain multiset that knows the truth: insert, delete, repair, save and load,
 * with the filter's own invariants checked after each step.
 *
 * <p>The filter is kept near the load that the run is given, where shifts and wraps happen. Hashes come from a small
 * universe, four times the capacity, so that duplicates, deleted keys that come back and repaired hashes that become
 * keys are all frequent.
 */
public final class ModelRun {

    private static final int UNIVERSE_FACTOR = 4;

    /** Filters with no more keys than this are checked whole after each step, larger ones now and then. */
    private static final int SMALL = 256;

    private static final int STEPS_BETWEEN_CHECKS = 200;
    private static final int MOST_SEARCHES = 200;

    private final Subject subject;
    private final long seed;
    private final SplittableRandom random;
    private final Consumer<MembershipFilter> checkInvariants;
    private final long[] universe;
    private final HashMultiset stored = new HashMultiset();
    private final List<Long> present = new ArrayList<>();
    private final List<Long> notYetStored = new ArrayList<>();
    private boolean isStoreLate;
    private MembershipFilter filter;
    private String lastStep = "none";

    /**
     * @param literal the run's seed, mixed with the subject's parameters
     * @param checkInvariants what the filter's own structure must satisfy at any time
     */
    public ModelRun(Subject subject, long literal, Consumer<MembershipFilter> checkInvariants) {
        this.subject = subject;
        this.seed = subject.seed(literal);
        this.random = new SplittableRandom(seed);
        this.checkInvariants = checkInvariants;
        this.universe = HashStream.stored(seed).next(UNIVERSE_FACTOR * subject.capacity());
        this.filter = subject.emptyBeside(stored);
    }

    /** Lets about half of the keys be in the filter for a while before they are stored. For adaptive filters. */
    public ModelRun withLateStore() {
        isStoreLate = true;
        return this;
    }

    /** Lives for that many steps, with the filter between {@code load} of its capacity and a little less. */
    public void run(int steps, double load) {
        int target = Math.max(1, (int) (load * subject.capacity()));
        for (int step = 0; step < steps; step++) {
            try {
                step(target);
                if (!notYetStored.isEmpty() && random.nextInt(4) == 0) {
                    stored.add(notYetStored.remove(random.nextInt(notYetStored.size())));
                }
                checkInvariants.accept(filter);
                if (present.size() <= SMALL || step % STEPS_BETWEEN_CHECKS == 0) {
                    assertNothingLost();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "%s, seed %d (base %d), step %d, %s, %d keys: %s"
                                .formatted(subject, seed, Seeds.base(), step, lastStep, present.size(), e.getMessage()),
                        e);
            }
        }
        assertNothingLost();
    }

    private void assertNothingLost() {
        Filled.assertAllFound(
                filter, present.stream().mapToLong(Long::longValue).toArray());
    }

    private void step(int target) {
        int dice = random.nextInt(100);
        if (dice < 2 && filter instanceof PersistentFilter persistent) {
            saveAndLoad(persistent);
        } else if (dice < 20 && filter instanceof AdaptiveFilter adaptive) {
            repair(adaptive);
        } else if (dice < 25 && filter instanceof DeletableFilter deletable) {
            deleteAbsent(deletable);
        } else if (filter instanceof DeletableFilter deletable
                && (present.size() >= target || (dice < 50 && !present.isEmpty()))) {
            delete(deletable);
        } else if (present.size() < target) {
            insert((InsertableFilter) filter);
        }
    }

    private long anyHash() {
        return universe[random.nextInt(universe.length)];
    }

    private void insert(InsertableFilter insertable) {
        long hash = anyHash();
        lastStep = "insert " + Long.toHexString(hash);
        boolean expectNew = !insertable.mightContainHash(hash);
        if (!isStoreLate) {
            stored.add(hash);
        }
        try {
            assertThat(insertable.insertHash(hash)).as("told to be new").isEqualTo(expectNew);
            present.add(hash);
            storeLate(hash);
        } catch (FilterFullException e) {
            stored.remove(hash);
            lastStep += " (full)";
        }
    }

    /** Stores a hash after the filter has got it, or leaves that for later. */
    private void storeLate(long hash) {
        if (isStoreLate && random.nextBoolean()) {
            notYetStored.add(hash);
            lastStep += " (in flight)";
        } else if (isStoreLate) {
            stored.add(hash);
        }
    }

    private void delete(DeletableFilter deletable) {
        int place = random.nextInt(present.size());
        long hash = present.get(place);
        lastStep = "delete " + Long.toHexString(hash);
        assertThat(deletable.deleteHash(hash)).as("deleted").isTrue();
        present.set(place, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        if (!notYetStored.remove((Long) hash)) {
            stored.remove(hash);
        }
    }

    private void deleteAbsent(DeletableFilter deletable) {
        long hash = anyHash();
        lastStep = "delete of absent " + Long.toHexString(hash);
        boolean safe = deletable instanceof AdaptiveFilter ? !isKey(hash) : !deletable.mightContainHash(hash);
        if (safe) {
            long count = deletable.count();
            assertThat(deletable.deleteHash(hash)).as("deleted").isFalse();
            assertThat(deletable.count()).as("count").isEqualTo(count);
        }
    }

    private void repair(AdaptiveFilter adaptive) {
        for (int i = 0; i < MOST_SEARCHES; i++) {
            long hash = random.nextInt(4) == 0 ? random.nextLong() : anyHash();
            if (adaptive.mightContainHash(hash)) {
                lastStep = "repair " + Long.toHexString(hash);
                Adaptation adaptation = adaptive.repairHash(hash);
                lastStep += " " + adaptation;
                boolean isLeft = adaptation == Adaptation.INSEPARABLE;
                // While keys are in flight a kind may put a repair off.
                if (isLeft != isKey(hash) && (isKey(hash) || notYetStored.isEmpty())) {
                    throw new AssertionError("the answer is wrong");
                }
                assertThat(adaptive.mightContainHash(hash)).as("found after it").isEqualTo(isLeft);
                return;
            }
        }
    }

    private boolean isKey(long hash) {
        return stored.contains(hash) || notYetStored.contains(hash);
    }

    private void saveAndLoad(PersistentFilter persistent) {
        lastStep = "save and load";
        State before = State.of(persistent);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Filters.writeHashFilter(persistent, HasherStamp.NONE, out);
            filter = Filters.readHashFilter(new ByteArrayInputStream(out.toByteArray()), stored)
                    .filter();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        before.assertStillThatOf(filter);
    }
}
