package dev.besom.testkit.daisy;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.CodecContract;
import dev.besom.testkit.GoldenFile;
import dev.besom.testkit.HashMultiset;
import dev.besom.testkit.HashStream;
import dev.besom.testkit.Subject;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The file format of distributions of every source. */
final class DaisyCodecTest extends CodecContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of(
                        DaisyContractTest.subject("daisy", "table", Oracles.table()),
                        DaisyContractTest.subject("daisy", "sketch", Oracles.sketch()),
                        DaisyContractTest.subject("daisy", "warming up", Oracles.classified(false)),
                        DaisyContractTest.subject("daisy-fingerprint", "classified", Oracles.classified(true)),
                        DaisyContractTest.subject("daisy-fingerprint", "warming up", Oracles.classified(false)),
                        DaisyContractTest.subject("partitioned-learned", "scored", Oracles.scored()))
                .map(subject -> subject.withSpec(FilterSpec.of(300, 0.05)));
    }

    @Test
    void theFormatOfEachSourceNeverChanges() throws IOException {
        check("daisy-table", Oracles.table());
        check("daisy-ranks", Oracles.ranks());
        check("daisy-sketch", Oracles.sketch());
        check("daisy-classified", Oracles.classified(true));
        // A hundred keys are fewer than are kept before the shares are known.
        check("daisy-warming-up", Oracles.classified(false));
    }

    private static void check(String name, Distribution distribution) throws IOException {
        HashMultiset stored = new HashMultiset();
        InsertableFilter filter = (InsertableFilter) Filters.makeHashFilter(
                Filters.kind("daisy"), FilterSpec.of(1_000, 0.01).withSeed(42), distribution);
        for (long hash : HashStream.stored(5_150).next(100)) {
            stored.add(hash);
            filter.insertHash(hash);
        }
        GoldenFile.check(name, (PersistentFilter) filter, stored);
    }

    @Test
    void theFormatOfAModelNeverChanges() throws IOException {
        HashMultiset stored = new HashMultiset();
        ClassifiedFilter filter = (ClassifiedFilter) Filters.makeHashFilter(
                Filters.kind("partitioned-learned"), FilterSpec.of(100, 0.01).withSeed(42), Oracles.scored());
        for (long hash : HashStream.stored(5_151).next(100)) {
            stored.add(hash);
            filter.insertHash(hash, Oracles.MODEL.classOf(hash));
        }
        GoldenFile.check("partitioned-learned-scored", (PersistentFilter) filter, stored);
    }
}
