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
                Kind.of(TinySetFilter.FORM.kind(), TinySetFilter.class)
                        .family(FAMILY)
                        .paper("Einziger, Friedman, ICCCN 2015")
                        .options(TinySetShape.OPTIONS)
                        .makes((spec, stored) -> TinySetFilter.make(spec))
                        .reads(() -> TinySetFilter.FORM, (image, stored) -> TinySetFilter.read(image))
                        .toKind(),
                Kind.of(RankIndexedFilter.FORM.kind(), RankIndexedFilter.class)
                        .family(FAMILY)
                        .paper("Hua, Zhao, Lin, Xu, ICNP 2008")
                        .option("copies", "how often each key may be put in, 1 or 2, default 2")
                        .makes((spec, stored) -> RankIndexedFilter.make(spec))
                        .reads(() -> RankIndexedFilter.FORM, (image, stored) -> RankIndexedFilter.read(image))
                        .toKind(),
                dLeft(DLeftCells.PLAIN),
                dLeft(DLeftCells.COUNTING));
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
