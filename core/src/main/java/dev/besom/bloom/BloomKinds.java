package dev.besom.bloom;

import dev.besom.Kind;
import dev.besom.Kind.Traits;
import java.util.List;
import java.util.Map;

/** The kinds of this family. */
public final class BloomKinds {

    private static final String FAMILY = "bloom";

    private BloomKinds() {}

    public static List<Kind> all() {
        return List.of(
                new Kind(
                        BloomFilter.KIND,
                        FAMILY,
                        BloomFilter.class,
                        Traits.PLAIN,
                        "Bloom, CACM 1970",
                        Map.of(
                                "bits", "size in bits, whatever the rate",
                                "probes", "bits a key sets, 1 to 64",
                                "scheme", "enhanced-double, double, triple or slices"),
                        (spec, stored) -> BloomFilter.of(spec),
                        (image, stored) -> BloomFilter.of(image)),
                new Kind(
                        BlockedBloomFilter.KIND,
                        FAMILY,
                        BlockedBloomFilter.class,
                        Traits.PLAIN,
                        "Putze, Sanders, Singler, JEA 2009",
                        Map.of("probes", "bits a key sets, 1 to 10"),
                        (spec, stored) -> BlockedBloomFilter.of(spec),
                        (image, stored) -> BlockedBloomFilter.of(image)));
    }
}
