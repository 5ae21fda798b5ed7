package dev.besom.testkit.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.CodecContract;
import dev.besom.testkit.GoldenFile;
import dev.besom.testkit.HashMultiset;
import dev.besom.testkit.HashStream;
import dev.besom.testkit.Subject;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of cascades with other options than the default ones, and of some that have learned. */
final class CascadeCodecTest extends CodecContract {

    @Override
    protected Stream<Subject> subjects() {
        return Stream.of(
                Subject.of(Filters.kind("cascade"), FilterSpec.of(1_000, 0.01).with("inner", "tinyset")),
                Subject.of(Filters.kind("cascade"), FilterSpec.of(500, 0.25)),
                Subject.of(Filters.kind("adaptive-bloom"), FilterSpec.of(500, 0.25)));
    }

    @ParameterizedTest
    @CsvSource({"adaptive-bloom, ", "cascade, quotient", "cascade, tinyset"})
    void theFormatOfAFilterThatHasLearnedNeverChanges(String kind, String inner) throws IOException {
        FilterSpec spec = FilterSpec.of(1_000, 0.25).withSeed(42);
        FilterSpec whole = inner == null ? spec : spec.with("inner", inner);
        HashMultiset stored = new HashMultiset();
        AdaptiveFilter filter = (AdaptiveFilter) Filters.kind(kind).make(whole, stored);
        for (long hash : HashStream.stored(20_240_301).next(1_000)) {
            stored.add(hash);
            filter.insertHash(hash);
        }
        HashStream fresh = HashStream.fresh(20_240_302);
        boolean isChanged = false;
        for (int repaired = 0; repaired < 20 || !isChanged; ) {
            long hash = fresh.next();
            if (filter.mightContainHash(hash)) {
                isChanged |= filter.repairHash(hash) == Adaptation.FORGOT;
                repaired = isChanged ? repaired + 1 : 0;
            }
        }
        GoldenFile.check(kind + (inner == null ? "" : "-" + inner) + "-learned", (PersistentFilter) filter, stored);
    }
}
