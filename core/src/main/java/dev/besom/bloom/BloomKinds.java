package dev.besom.bloom;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import dev.besom.spi.Kind.Traits;
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
                        Map.of(
                                "groups",
                                "words a key uses, 2 or 4",
                                "bitsPerGroup",
                                "bits a key sets in each word, 1 to 6"),
                        (spec, stored) -> BlockedBloomFilter.of(spec),
                        (image, stored) -> BlockedBloomFilter.of(image)),
                new Kind(
                        CountingBloomFilter.KIND,
                        FAMILY,
                        CountingBloomFilter.class,
                        Traits.PLAIN,
                        "Fan, Cao, Almeida, Broder, ToN 2000",
                        Map.of("probes", "counters a key uses, 1 to 64"),
                        (spec, stored) -> CountingBloomFilter.of(spec),
                        (image, stored) -> CountingBloomFilter.of(image)),
                new Kind(
                        CompositeBloomFilter.KIND,
                        FAMILY,
                        CompositeBloomFilter.class,
                        new Traits(false, true, Adaptivity.NO),
                        "folklore; see Broder, Mitzenmacher, Internet Mathematics 2004",
                        Map.of(
                                "removals", "how many keys may be removed",
                                "falseNegativeRate", "highest rate of false negatives after so many removals"),
                        (spec, stored) -> CompositeBloomFilter.of(spec),
                        (image, stored) -> CompositeBloomFilter.of(image)),
                new Kind(
                        ScalableBloomFilter.KIND,
                        FAMILY,
                        ScalableBloomFilter.class,
                        new Traits(true, false, Adaptivity.NO),
                        "Almeida, Baquero, Preguiça, Hutchison, IPL 2007",
                        Map.of(),
                        (spec, stored) -> ScalableBloomFilter.of(spec),
                        (image, stored) -> ScalableBloomFilter.of(image)),
                new Kind(
                        BalancedBloomFilter.KIND,
                        FAMILY,
                        BalancedBloomFilter.class,
                        Traits.PLAIN,
                        "Kanizo, Hay, Keslassy, Computer Communications 2013",
                        Map.of("overflow", "planned share of keys in the list, 0.0001 to 0.1, default 0.0049"),
                        (spec, stored) -> BalancedBloomFilter.of(spec),
                        (image, stored) -> BalancedBloomFilter.of(image)),
                new Kind(
                        VariableIncrementFilter.KIND,
                        FAMILY,
                        VariableIncrementFilter.class,
                        Traits.PLAIN,
                        "Rottenstreich, Kanizo, Keslassy, INFOCOM 2012",
                        Map.of("probes", "counters a key uses, 1 to 24"),
                        (spec, stored) -> VariableIncrementFilter.of(spec),
                        (image, stored) -> VariableIncrementFilter.of(image)));
    }
}
