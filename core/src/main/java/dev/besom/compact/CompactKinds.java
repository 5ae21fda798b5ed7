package dev.besom.compact;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Traits;
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
                new Kind(
                        TinySetFilter.KIND,
                        FAMILY,
                        TinySetFilter.class,
                        Traits.PLAIN,
                        "Einziger, Friedman, ICCCN 2015",
                        TinySetShape.OPTIONS,
                        (spec, stored) -> TinySetFilter.of(spec),
                        (image, stored) -> TinySetFilter.read(image)),
                new Kind(
                        RankIndexedFilter.KIND,
                        FAMILY,
                        RankIndexedFilter.class,
                        Traits.PLAIN,
                        "Hua, Zhao, Lin, Xu, ICNP 2008",
                        Map.of("copies", "how often each key may be put in, 1 or 2, default 2"),
                        (spec, stored) -> RankIndexedFilter.of(spec),
                        (image, stored) -> RankIndexedFilter.read(image)),
                new Kind(
                        DLeftFilter.KIND,
                        FAMILY,
                        DLeftFilter.class,
                        Traits.PLAIN,
                        D_LEFT_PAPER,
                        D_LEFT_OPTIONS,
                        (spec, stored) -> DLeftFilter.of(spec),
                        (image, stored) -> DLeftFilter.read(image, false)),
                new Kind(
                        DLeftFilter.COUNTING_KIND,
                        FAMILY,
                        DLeftFilter.class,
                        Traits.PLAIN,
                        D_LEFT_PAPER,
                        D_LEFT_OPTIONS,
                        (spec, stored) -> DLeftFilter.countingOf(spec),
                        (image, stored) -> DLeftFilter.read(image, true)));
    }
}
