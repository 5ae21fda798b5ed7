package dev.besom.bloom;

import dev.besom.spi.Kind;
import java.util.List;

/** The kinds of this family. */
public final class BloomKinds {

    private static final String FAMILY = "bloom";

    private BloomKinds() {}

    /** All of them. */
    public static List<Kind> all() {
        return List.of(
                Kind.of(BloomFilter.KIND, BloomFilter.class)
                        .family(FAMILY)
                        .paper("Bloom, CACM 1970")
                        .option("bits", "size in bits, whatever the rate")
                        .option("probes", "bits a key sets, 1 to 64")
                        .option(
                                "scheme",
                                "lines, the default: three bits in a cache line; bits anywhere: enhanced-double, double, triple or slices")
                        .makes((spec, stored) -> BloomFilter.make(spec))
                        .reads(() -> BloomFilter.FORM, (image, stored) -> BloomFilter.read(image))
                        .toKind(),
                Kind.of(BlockedBloomFilter.KIND, BlockedBloomFilter.class)
                        .family(FAMILY)
                        .paper("Putze, Sanders, Singler, JEA 2009")
                        .option("blockBits", "bits of a block: 512, a cache line, the default; or 256")
                        .option("groups", "words a key uses, 2 or 4")
                        .option("bitsPerGroup", "bits a key sets in each word, 1 to 6")
                        .makes((spec, stored) -> BlockedBloomFilter.make(spec))
                        .reads(() -> BlockedBloomFilter.FORM, (image, stored) -> BlockedBloomFilter.read(image))
                        .toKind(),
                Kind.of(CountingBloomFilter.KIND, CountingBloomFilter.class)
                        .family(FAMILY)
                        .paper("Fan, Cao, Almeida, Broder, ToN 2000")
                        .option("probes", "counters a key uses, 1 to 64")
                        .option("counterBits", "bits of a counter, 2 to 16, default 4")
                        .makes((spec, stored) -> CountingBloomFilter.make(spec))
                        .reads(() -> CountingBloomFilter.FORM, (image, stored) -> CountingBloomFilter.read(image))
                        .toKind(),
                Kind.of(CompositeBloomFilter.KIND, CompositeBloomFilter.class)
                        .family(FAMILY)
                        .paper("folklore; see Broder, Mitzenmacher, Internet Mathematics 2004")
                        .option("removals", "how many keys may be removed")
                        .option("falseNegativeRate", "highest rate of false negatives after so many removals")
                        .makes((spec, stored) -> CompositeBloomFilter.make(spec))
                        .reads(() -> CompositeBloomFilter.FORM, (image, stored) -> CompositeBloomFilter.read(image))
                        .toKind(),
                Kind.of(ScalableBloomFilter.KIND, ScalableBloomFilter.class)
                        .family(FAMILY)
                        .paper("Almeida, Baquero, Preguiça, Hutchison, IPL 2007")
                        .makes((spec, stored) -> ScalableBloomFilter.make(spec))
                        .reads(() -> ScalableBloomFilter.FORM, (image, stored) -> ScalableBloomFilter.read(image))
                        .toKind(),
                Kind.of(BalancedBloomFilter.KIND, BalancedBloomFilter.class)
                        .family(FAMILY)
                        .paper("Kanizo, Hay, Keslassy, Computer Communications 2013")
                        .option("overflow", "planned share of keys in the list, 0.0001 to 0.1, default 0.0049")
                        .makes((spec, stored) -> BalancedBloomFilter.make(spec))
                        .reads(() -> BalancedBloomFilter.FORM, (image, stored) -> BalancedBloomFilter.read(image))
                        .toKind(),
                Kind.of(VariableIncrementFilter.KIND, VariableIncrementFilter.class)
                        .family(FAMILY)
                        .paper("Rottenstreich, Kanizo, Keslassy, INFOCOM 2012")
                        .option("probes", "counters a key uses, 1 to 24")
                        .makes((spec, stored) -> VariableIncrementFilter.make(spec))
                        .reads(
                                () -> VariableIncrementFilter.FORM,
                                (image, stored) -> VariableIncrementFilter.read(image))
                        .toKind());
    }
}
