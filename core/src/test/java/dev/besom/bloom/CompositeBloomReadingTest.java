package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.testkit.Allocation;
import dev.besom.testkit.HashStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class CompositeBloomReadingTest {

    private static final int KEYS = 100_000;

    @Test
    void manyKeysThatWerePutBackAreReadInTwiceTheLengthOfTheFile() throws IOException {
        CompositeBloomFilter filter = Filters.makeHashFilter(
                "composite-bloom",
                FilterSpec.of(KEYS, 0.1)
                        .with("removals", Integer.toString(KEYS))
                        .with("falseNegativeRate", "0.1"),
                StoredHashes.none(),
                CompositeBloomFilter.class);
        for (long hash : HashStream.stored(3).next(KEYS)) {
            filter.insertHash(hash);
            filter.removeHash(hash);
            filter.insertHash(hash);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FilterCodec.write(filter, HasherStamp.NONE, out);
        byte[] file = out.toByteArray();
        assertThat(file.length).as("bytes, most of them keys put back").isGreaterThan(6 * KEYS);
        long before = Allocation.bytesSoFar();
        Filters.readHashFilter(new ByteArrayInputStream(file));
        assertThat(Allocation.bytesSoFar() - before).isLessThan(2L * file.length + (1 << 20));
    }
}
