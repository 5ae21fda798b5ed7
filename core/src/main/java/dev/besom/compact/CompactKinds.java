package dev.besom.compact;

import dev.besom.spi.Kind;
import java.util.List;

/** The kinds of the compact family. */
public final class CompactKinds {

    private static final String FAMILY = "compact";

    private CompactKinds() {}

    /** Every kind of the family. */
    public static List<Kind> all() {
        return List.of(
                Kind.of(TinySetFilter.KIND, TinySetFilter.class)
                        .family(FAMILY)
                        .paper("Einziger, Friedman, ICCCN 2015")
                        .options(() -> TinySetShape.OPTIONS)
                        .makes((spec, stored) -> TinySetFilter.make(spec))
                        .reads(() -> TinySetFilter.FORM, (image, stored) -> TinySetFilter.read(image))
                        .toKind(),
                Kind.of(RankIndexedFilter.KIND, RankIndexedFilter.class)
                        .family(FAMILY)
                        .paper("Hua, Zhao, Lin, Xu, ICNP 2008")
                        .option("copies", "how often each key may be put in, 1 or 2, default 2")
                        .makes((spec, stored) -> RankIndexedFilter.make(spec))
                        .reads(() -> RankIndexedFilter.FORM, (image, stored) -> RankIndexedFilter.read(image))
                        .toKind(),
                dLeft(DLeftCells.PLAIN),
                dLeft(DLeftCells.COUNTING),
                Kind.of(GolombFilter.KIND, GolombFilter.class)
                        .family(FAMILY)
                        .slowAndSmall()
                        .paper("Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007")
                        .option("remainderBits", "bits of a remainder, 1 to 56, whatever makes codes shortest")
                        .builds((spec, hashes, stored) -> GolombFilter.build(spec, hashes))
                        .reads(() -> GolombFilter.FORM, (image, stored) -> GolombFilter.read(image))
                        .toKind(),
                Kind.of(CountingGolombFilter.KIND, CountingGolombFilter.class)
                        .family(FAMILY)
                        .slowAndSmall()
                        .paper("Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007")
                        .makes((spec, stored) -> CountingGolombFilter.make(spec))
                        .reads(() -> CountingGolombFilter.FORM, (image, stored) -> CountingGolombFilter.read(image))
                        .toKind(),
                Kind.of(HashCompactionFilter.KIND, HashCompactionFilter.class)
                        .family(FAMILY)
                        .slowAndSmall()
                        .paper("Wolper, Leroy, CAV 1993; Stern, Dill, FORTE 1996")
                        .option("signatureBits", "bits of a slot, 1 to 32, whatever makes the table smallest")
                        .makes((spec, stored) -> HashCompactionFilter.make(spec))
                        .reads(() -> HashCompactionFilter.FORM, (image, stored) -> HashCompactionFilter.read(image))
                        .toKind());
    }

    private static Kind dLeft(DLeftCells cells) {
        return Kind.of(cells.form.kind(), DLeftFilter.class)
                .family(FAMILY)
                .paper("Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese, ESA 2006")
                .option(
                        "load",
                        "planned keys of a bucket of 8, from 1 to as many as leave room for all keys, default 6")
                .makes((spec, stored) -> DLeftFilter.make(spec, cells))
                .reads(cells.form, (image, stored) -> DLeftFilter.read(image, cells))
                .toKind();
    }
}
