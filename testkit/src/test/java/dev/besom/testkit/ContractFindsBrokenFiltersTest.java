package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.besom.Adaptation;
import dev.besom.MergeableFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A contract that nothing can break is worth nothing: each fault here must be found by the check that names it. */
final class ContractFindsBrokenFiltersTest {

    /** Run by {@link #failuresOf} only. */
    static final class SoundContract extends FilterContract {
        @Override
        protected Stream<Subject> subjects() {
            return Stream.of(ToyFilter.subject(ToyFilter::new));
        }
    }

    /** Run by {@link #failuresOf} only. */
    static final class BrokenContract extends FilterContract {
        @Override
        protected Stream<Subject> subjects() {
            return Stream.of(ToyFilter.subject(LosesSomeKeys::new));
        }
    }

    private static final class LosesSomeKeys extends ToyFilter {
        @Override
        public boolean mightContainHash(long hash) {
            return super.mightContainHash(hash) && hash % 701 != 0;
        }
    }

    /** Runs a contract with JUnit's own launcher and gives the failed tests by name with their messages. */
    private static Map<String, String> failuresOf(Class<? extends FilterContract> contract) {
        Map<String, String> failures = new HashMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(contract))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable()
                        .ifPresent(t -> failures.put(test.getDisplayName(), Objects.toString(t.getMessage(), "")));
            }
        });
        return failures;
    }

    @Test
    void aSoundFilterPasses() {
        assertThat(failuresOf(SoundContract.class)).isEmpty();
    }

    @Test
    void aFilterThatLosesKeysFailsAndTheFailureNamesSubjectAndSeed() {
        assertThat(failuresOf(BrokenContract.class).get("as many keys as planned are all found"))
                .contains("toy n=2000", "base seed", "false negatives among 2000 keys");
    }

    @Test
    void aRandomLifeFindsAFilterThatLosesKeys() {
        new ModelRun(ToyFilter.subject(ToyFilter::new), 31, filter -> {}).run(2_000, 0.9);
        assertThatThrownBy(() -> new ModelRun(ToyFilter.subject(LosesSomeKeys::new), 31, filter -> {}).run(8_000, 0.9))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("toy n=2000");
    }

    @Test
    void aRandomLifeChecksInvariantsAfterEachStep() {
        AtomicInteger checks = new AtomicInteger();
        new ModelRun(ToyFilter.subject(ToyFilter::new), 32, filter -> checks.incrementAndGet()).run(100, 0.9);
        assertThat(checks).hasValue(100);
    }

    @TestFactory
    Stream<DynamicTest> eachFaultIsFoundByTheCheckThatNamesIt() {
        return Stream.of(
                fault("as many keys as planned are all found", LosesSomeKeys::new),
                fault("the hashes 0 and -1 are keys like others", () -> new ToyFilter() {
                    @Override
                    public boolean mightContainHash(long hash) {
                        return hash != 0 && super.mightContainHash(hash);
                    }
                }),
                fault("the rate is the rate expected, when full", () -> new ToyFilter() {
                    @Override
                    public double expectedFpp() {
                        return 0.8 * super.expectedFpp();
                    }
                }),
                fault("the rate is the rate expected, when full", () -> new ToyFilter() {
                    @Override
                    public double expectedFpp() {
                        return 1.2 * super.expectedFpp();
                    }
                }),
                fault("the rate is not above the rate asked for", () -> new ToyFilter(13)),
                fault("the size is sane", () -> new ToyFilter() {
                    @Override
                    public long sizeInBits() {
                        return super.sizeInBits() / 40;
                    }
                }),
                fault("asking changes nothing", () -> new ToyFilter() {
                    private long asked;

                    @Override
                    public boolean mightContainHash(long hash) {
                        asked++;
                        return super.mightContainHash(hash);
                    }

                    @Override
                    public long count() {
                        return super.count() + asked;
                    }
                }),
                fault("bulk answers are the single answers", () -> new ToyFilter() {
                    @Override
                    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
                        super.mightContainHashes(hashes, from, count, result);
                        if (count == 65) {
                            result[1] ^= 1;
                        }
                    }
                }),
                fault("bulk answers leave the words past the end alone", () -> new ToyFilter() {
                    @Override
                    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
                        super.mightContainHashes(hashes, from, count, result);
                        if (result.length > count / 64 + 1) {
                            result[count / 64 + 1] = 0;
                        }
                    }
                }),
                fault("bulk queries that do not fit are refused", () -> new ToyFilter() {
                    @Override
                    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
                        super.mightContainHashes(hashes, from, Math.min(count, 64 * result.length), result);
                    }
                }),
                fault("a single query allocates nothing", () -> new ToyFilter() {
                    @Override
                    public boolean mightContainHash(long hash) {
                        garbage = new byte[16];
                        return super.mightContainHash(hash);
                    }
                }),
                fault("a bulk query allocates nothing", () -> new ToyFilter() {
                    @Override
                    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
                        garbage = new byte[16];
                        super.mightContainHashes(hashes, from, count, result);
                    }
                }),
                fault("insert says new exactly where the filter would have said no", () -> new ToyFilter() {
                    @Override
                    public boolean insertHash(long hash) {
                        super.insertHash(hash);
                        return true;
                    }
                }),
                fault("the count is what the kind says it counts", () -> new ToyFilter() {
                    @Override
                    public long count() {
                        return Math.min(super.count(), 1_999);
                    }
                }),
                fault("insertAll does what single inserts do", () -> new ToyFilter() {
                    @Override
                    public void insertHashes(long[] hashes, int from, int count) {
                        super.insertHashes(hashes, from, Math.max(0, count - 1));
                    }
                }),
                fault("no key is lost when far too many come", () -> new ToyFilter() {
                    @Override
                    public boolean insertHash(long hash) {
                        return count() < 3_000 && super.insertHash(hash);
                    }
                }),
                fault("deleting what is not there says so and changes nothing", () -> new ToyFilter() {
                    @Override
                    public boolean deleteHash(long hash) {
                        return super.deleteHash(hash) || count() > 0;
                    }
                }),
                fault("deleting keys keeps the others", () -> new ToyFilter() {
                    @Override
                    public boolean deleteHash(long hash) {
                        lower(hash ^ Long.MIN_VALUE);
                        return super.deleteHash(hash);
                    }
                }),
                fault("deleted keys are strangers again", () -> new ToyFilter() {
                    @Override
                    public boolean deleteHash(long hash) {
                        boolean deleted = super.deleteHash(hash);
                        if (deleted) {
                            raise(hash);
                        }
                        return deleted;
                    }
                }),
                fault("a key put in twice is gone after two deletes", () -> new ToyFilter() {
                    @Override
                    public boolean insertHash(long hash) {
                        return !mightContainHash(hash) && super.insertHash(hash);
                    }
                }),
                fault("a union holds the keys of both", () -> new ToyFilter() {
                    @Override
                    void takeIn(ToyFilter other) {}
                }),
                fault("another seed is refused and named", () -> new ToyFilter() {
                    @Override
                    void checkSeed(ToyFilter other) {}
                }),
                fault("another kind is refused and named", () -> new ToyFilter() {
                    @Override
                    void checkKind(MergeableFilter other) {
                        throw new IllegalArgumentException("no");
                    }
                }),
                fault("a repaired hash is answered no, and no key is lost", () -> new ToyFilter() {
                    @Override
                    public Adaptation repairHash(long hash) {
                        Adaptation adaptation = super.repairHash(hash);
                        repaired.remove(hash);
                        return adaptation;
                    }
                }),
                fault("a repaired hash is answered no, and no key is lost", () -> new ToyFilter() {
                    @Override
                    public Adaptation repairHash(long hash) {
                        lower(hash);
                        return super.repairHash(hash);
                    }
                }),
                fault("a stored key's own hash is inseparable", () -> new ToyFilter() {
                    @Override
                    boolean isStored(long hash) {
                        super.isStored(hash);
                        return false;
                    }
                }),
                fault("the statistics are the sums of the answers", () -> new ToyFilter() {
                    @Override
                    public Adaptation repairHash(long hash) {
                        Adaptation adaptation = super.repairHash(hash);
                        return adaptation == Adaptation.FIXED && hash % 3 == 0 ? Adaptation.FORGOT : adaptation;
                    }
                }),
                fault("a repair that is fixed reads the store as often as stated", () -> new ToyFilter() {
                    @Override
                    boolean isStored(long hash) {
                        boolean first = super.isStored(hash);
                        return super.isStored(hash) && first;
                    }
                }),
                fault("no key is missing while a change reads the store", () -> new ToyFilter() {
                    @Override
                    public boolean deleteHash(long hash) {
                        lower(hash);
                        boolean isStored = isStored(hash);
                        raise(hash);
                        return isStored && super.deleteHash(hash);
                    }
                }),
                fault("a repaired hash can become a key", () -> new ToyFilter() {
                    @Override
                    void forgetRepair(long hash) {}
                }),
                fault("deleting a false positive deletes nothing while inserts are in flight", () -> new ToyFilter() {
                    @Override
                    public boolean deleteHash(long hash) {
                        boolean isAnyUnstored = count() > stored.count();
                        return isAnyUnstored ? mightContainHash(hash) : super.deleteHash(hash);
                    }
                }),
                fault("the rate is the rate expected, after every key was replaced", () -> new ToyFilter() {
                    private long deletes;

                    @Override
                    public boolean deleteHash(long hash) {
                        deletes++;
                        return super.deleteHash(hash);
                    }

                    @Override
                    public double expectedFpp() {
                        return super.expectedFpp() * (deletes > 0 ? 0.8 : 1);
                    }
                }),
                fault("the rate is the rate expected, after repairs and churn", () -> new ToyFilter() {
                    @Override
                    public double expectedFpp() {
                        return super.expectedFpp() * (repaired.isEmpty() ? 1 : 0.8);
                    }
                }),
                fault("the rate is the rate expected, after repairs and churn", () -> new ToyFilter() {
                    @Override
                    public double expectedFpp() {
                        return super.expectedFpp() * (repaired.isEmpty() ? 1 : 1.25);
                    }
                }),
                fault("racing inserts of one key: exactly one is new", () -> new ToyFilter() {
                    @Override
                    public boolean insertHash(long hash) {
                        boolean isNew = !mightContainHash(hash);
                        LockSupport.parkNanos(1);
                        super.insertHash(hash);
                        return isNew;
                    }
                }));
    }

    private static DynamicTest fault(String text, Supplier<ToyFilter> maker) {
        Subject subject = ToyFilter.subject(maker);
        Promise promise = FilterContract.promisesOf(subject).stream()
                .filter(p -> p.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no check says: " + text));
        return DynamicTest.dynamicTest(
                text,
                () -> assertThatThrownBy(() -> promise.assertKeptBy(subject))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining(text));
    }
}
