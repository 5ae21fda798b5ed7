package dev.besom.testkit;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the test of a kind's file format inherits: damaged files are refused, forged ones do no harm. Every bit of each
 * subject's file is flipped, so subjects should have a thousand keys or so.
 *
 * <p>That undamaged files give the same filter again is part of {@link FilterContract}.
 */
public abstract class CodecContract {

    /** JUnit makes the test that extends this. */
    protected CodecContract() {}

    /** The filters whose files to damage. */
    protected abstract Stream<Subject> subjects();

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    final Stream<DynamicNode> damagedFilesAreRefusedAndForgedOnesDoNoHarm() {
        return subjects()
                .map(subject -> DynamicContainer.dynamicContainer(
                        subject.toString(),
                        CodecPromises.ALL.stream()
                                .map(promise ->
                                        DynamicTest.dynamicTest(promise.text(), () -> promise.assertKeptBy(subject)))));
    }
}
