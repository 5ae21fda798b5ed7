package dev.besom.bloomier;

import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.spi.PersistentMap;
import java.util.List;

/** The kinds of this family. */
public final class BloomierKinds {

    private static final String FAMILY = "bloomier";
    private static final String CHAZELLE = "Chazelle, Kilian, Rubinfeld, Tal: The Bloomier filter. SODA 2004";

    private BloomierKinds() {}

    /** Every kind of this family. */
    public static List<Kind> all() {
        return List.of(
                map(FuseMap.KIND, FuseMap.class, CHAZELLE)
                        .option("arity", "slots a key has, 3 or 4, default 3: 4 is smaller and slower")
                        .option("fingerprintBits", "bits of a fingerprint, 1 to 32, whatever the rate")
                        .buildsMaps(FuseMap::build)
                        .reads(() -> FuseMap.FORM, (image, stored) -> FuseMap.read(image))
                        .toKind(),
                map(
                                PerfectHashMap.KIND,
                                PerfectHashMap.class,
                                "Botelho, Pagh, Ziviani: Simple and space-efficient minimal"
                                        + " perfect hash functions. WADS 2007")
                        .option("fingerprintBits", "bits of a fingerprint, 1 to 32, whatever the rate")
                        .buildsMaps(PerfectHashMap::build)
                        .reads(() -> PerfectHashMap.FORM, (image, stored) -> PerfectHashMap.read(image))
                        .toKind(),
                map(PairedBloomMap.KIND, PairedBloomMap.class, CHAZELLE)
                        .buildsMaps(PairedBloomMap::build)
                        .reads(() -> PairedBloomMap.FORM, (image, stored) -> PairedBloomMap.read(image))
                        .toKind(),
                map(
                                DynamicMap.KIND,
                                DynamicMap.class,
                                "Mortensen, Pagh, Pătraşcu: On dynamic range reporting in one"
                                        + " dimension. STOC 2005")
                        .slowAndSmall()
                        .makes((spec, stored) -> DynamicMap.make(spec))
                        .buildsMaps(DynamicMap::build)
                        .reads(() -> DynamicMap.FORM, (image, stored) -> DynamicMap.read(image))
                        .toKind(),
                Kind.of(CompactApproximator.KIND, CompactApproximator.class)
                        .family(FAMILY)
                        .paper("Boldi, Vigna: Mutable strings in Java. Science of Computer Programming 2005")
                        .option("lattice", "boolean, the default, max, min or sets")
                        .option("elementBits", "bits of an element, 1 to 32, default 8; 1 for the lattice boolean")
                        .option("probes", "cells a key has, 1 to 64")
                        .makes((spec, stored) -> CompactApproximator.make(spec))
                        .reads(() -> CompactApproximator.FORM, (image, stored) -> CompactApproximator.read(image))
                        .toKind(),
                list(ExactList.KIND, ExactList.class)
                        .buildsSeparating(ExactList::build)
                        .reads(() -> ExactList.FORM, (image, stored) -> ExactList.read(image))
                        .toKind(),
                list(GrowingList.KIND, GrowingList.class)
                        .buildsSeparating(GrowingList::build)
                        .reads(() -> GrowingList.FORM, (image, stored) -> GrowingList.read(image))
                        .toKind());
    }

    private static Kind.Builder list(String name, Class<? extends PersistentFilter> type) {
        return Kind.of(name, type)
                .family(FAMILY)
                .paper("Larisch, Choffnes, Levin, Maggs, Mislove, Wilson: CRLite. S&P 2017; two levels with"
                        + " retrieval of Dietzfelbinger, Pagh, ICALP 2008")
                .option(
                        "fingerprintBits",
                        "bits of a fingerprint of level 1, 0 to 32, whatever the rate; default: whatever is smallest");
    }

    private static Kind.Builder map(String name, Class<? extends PersistentMap> type, String paper) {
        return Kind.of(name, type)
                .family(FAMILY)
                .paper(paper)
                .option("valueBits", "bits of a value, 1 to 32; default: those of the largest one");
    }
}
