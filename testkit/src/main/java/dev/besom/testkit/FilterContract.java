package dev.besom.testkit;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.MergeableFilter;
import dev.besom.ShareableFilter;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every filter's test inherits: all the promises of the interfaces that the filter implements, each as a test, at
 * each point of the grid that the test names. Kinds that keys are put into and static ones, which are built from all their
 * keys at once, are tested alike.
 *
 * <pre>
 *   final class MyFilterContractTest extends FilterContract {
 *       &#64;Override
 *       protected Stream&lt;Subject&gt; subjects() {
 *           return Subject.usualGridOf(Filters.kind("mine"));
 *       }
 *   }
 * </pre>
 *
 * <p>No check removes a key from a filter other than through {@link DeletableFilter}, so kinds that can have false
 * negatives after removals of another sort keep this contract as well.
 */
public abstract class FilterContract {

    /** JUnit makes the test that extends this. */
    protected FilterContract() {}

    /** The filters to test. */
    protected abstract Stream<Subject> subjects();

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    final Stream<DynamicNode> everyPromiseOfItsInterfacesIsKept() {
        return subjects().map(FilterContract::testsOf);
    }

    private static DynamicNode testsOf(Subject subject) {
        return DynamicContainer.dynamicContainer(
                subject.toString(),
                promisesOf(subject).stream()
                        .map(promise -> DynamicTest.dynamicTest(promise.text(), () -> promise.assertKeptBy(subject))));
    }

    static List<Promise> promisesOf(Subject subject) {
        List<Promise> promises = new ArrayList<>(MembershipPromises.of(subject));
        promises.addAll(subject.isInsertable() ? InsertPromises.ALL : BuildPromises.ALL);
        if (subject.is(DeletableFilter.class)) {
            promises.addAll(DeletePromises.ALL);
        }
        if (subject.is(MergeableFilter.class)) {
            promises.addAll(MergePromises.ALL);
        }
        if (subject.is(AdaptiveFilter.class)) {
            promises.addAll(RepairPromises.ALL);
        }
        if (subject.is(PersistentFilter.class)) {
            promises.addAll(PersistencePromises.ALL);
        }
        if (subject.is(ShareableFilter.class)) {
            promises.addAll(ConcurrencyPromises.ALL);
        }
        return promises;
    }
}
