package dev.besom.compact;

import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import java.util.List;
import java.util.Map;

/** The kinds of this family. */
public final class CompactKinds {

    private static final String FAMILY = "compact";
    private static final String D_LEFT_PAPER = "Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese, ESA 2006";
    private static final Map<String, String> D_LEFT_OPTIONS =
            Map.of("load", "planned keys of a bucket of 8, 1 to 8, default 6");

    private CompactKinds() {}

    public static List<Kind> all() {
        return List.of(
                Kind.of(TinySetFilter.KIND, TinySetFilter.class)
                        .family(FAMILY)
                        .paper("Einziger, Friedman, ICCCN 2015")
                        .options(TinySetShape.OPTIONS)
                        .makes((spec, stored) -> TinySetFilter.of(spec))
                        .reads(new ImageForm(TinySetFilter.KIND), (image, stored) -> TinySetFilter.read(image))
                        .toKind(),
                Kind.of(RankIndexedFilter.KIND, RankIndexedFilter.class)
                        .family(FAMILY)
                        .paper("Hua, Zhao, Lin, Xu, ICNP 2008")
                        .option("copies", "how often each key may be put in, 1 or 2, default 2")
                        .makes((spec, stored) -> RankIndexedFilter.of(spec))
                        .reads(new ImageForm(RankIndexedFilter.KIND), (image, stored) -> RankIndexedFilter.read(image))
                        .toKind(),
                Kind.of(DLeftFilter.KIND, DLeftFilter.class)
                        .family(FAMILY)
                        .paper(D_LEFT_PAPER)
                        .options(D_LEFT_OPTIONS)
                        .makes((spec, stored) -> DLeftFilter.of(spec))
                        .reads(new ImageForm(DLeftFilter.KIND), (image, stored) -> DLeftFilter.read(image, false))
                        .toKind(),
                Kind.of(DLeftFilter.COUNTING_KIND, DLeftFilter.class)
                        .family(FAMILY)
                        .paper(D_LEFT_PAPER)
                        .options(D_LEFT_OPTIONS)
                        .makes((spec, stored) -> DLeftFilter.countingOf(spec))
                        .reads(
                                new ImageForm(DLeftFilter.COUNTING_KIND),
                                (image, stored) -> DLeftFilter.read(image, true))
                        .toKind());
    }
}
