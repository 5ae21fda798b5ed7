package dev.besom.bloom;

import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import java.util.List;

/** The kinds of this family. */
public final class BloomKinds {

    private static final String FAMILY = "bloom";

    private BloomKinds() {}

    public static List<Kind> all() {
        return List.of(
                Kind.of(BloomFilter.KIND, BloomFilter.class)
                        .family(FAMILY)
                        .paper("Bloom, CACM 1970")
                        .option("bits", "size in bits, whatever the rate")
                        .option("probes", "bits a key sets, 1 to 64")
                        .option("scheme", "enhanced-double, double, triple or slices")
                        .makes((spec, stored) -> BloomFilter.of(spec))
                        .reads(new ImageForm(BloomFilter.KIND), (image, stored) -> BloomFilter.of(image))
                        .toKind(),
                Kind.of(BlockedBloomFilter.KIND, BlockedBloomFilter.class)
                        .family(FAMILY)
                        .paper("Putze, Sanders, Singler, JEA 2009")
                        .option("groups", "words a key uses, 2 or 4")
                        .option("bitsPerGroup", "bits a key sets in each word, 1 to 6")
                        .makes((spec, stored) -> BlockedBloomFilter.of(spec))
                        .reads(new ImageForm(BlockedBloomFilter.KIND), (image, stored) -> BlockedBloomFilter.of(image))
                        .toKind(),
                Kind.of(CountingBloomFilter.KIND, CountingBloomFilter.class)
                        .family(FAMILY)
                        .paper("Fan, Cao, Almeida, Broder, ToN 2000")
                        .option("probes", "counters a key uses, 1 to 64")
                        .makes((spec, stored) -> CountingBloomFilter.of(spec))
                        .reads(
                                new ImageForm(CountingBloomFilter.KIND),
                                (image, stored) -> CountingBloomFilter.of(image))
                        .toKind(),
                Kind.of(CompositeBloomFilter.KIND, CompositeBloomFilter.class)
                        .family(FAMILY)
                        .paper("folklore; see Broder, Mitzenmacher, Internet Mathematics 2004")
                        .option("removals", "how many keys may be removed")
                        .option("falseNegativeRate", "highest rate of false negatives after so many removals")
                        .makes((spec, stored) -> CompositeBloomFilter.of(spec))
                        .reads(
                                new ImageForm(CompositeBloomFilter.KIND),
                                (image, stored) -> CompositeBloomFilter.of(image))
                        .toKind(),
                Kind.of(ScalableBloomFilter.KIND, ScalableBloomFilter.class)
                        .family(FAMILY)
                        .paper("Almeida, Baquero, Preguiça, Hutchison, IPL 2007")
                        .makes((spec, stored) -> ScalableBloomFilter.of(spec))
                        .reads(
                                new ImageForm(ScalableBloomFilter.KIND),
                                (image, stored) -> ScalableBloomFilter.of(image))
                        .toKind(),
                Kind.of(BalancedBloomFilter.KIND, BalancedBloomFilter.class)
                        .family(FAMILY)
                        .paper("Kanizo, Hay, Keslassy, Computer Communications 2013")
                        .option("overflow", "planned share of keys in the list, 0.0001 to 0.1, default 0.0049")
                        .makes((spec, stored) -> BalancedBloomFilter.of(spec))
                        .reads(
                                new ImageForm(BalancedBloomFilter.KIND),
                                (image, stored) -> BalancedBloomFilter.of(image))
                        .toKind(),
                Kind.of(VariableIncrementFilter.KIND, VariableIncrementFilter.class)
                        .family(FAMILY)
                        .paper("Rottenstreich, Kanizo, Keslassy, INFOCOM 2012")
                        .option("probes", "counters a key uses, 1 to 24")
                        .makes((spec, stored) -> VariableIncrementFilter.of(spec))
                        .reads(
                                new ImageForm(VariableIncrementFilter.KIND),
                                (image, stored) -> VariableIncrementFilter.of(image))
                        .toKind());
    }
}
