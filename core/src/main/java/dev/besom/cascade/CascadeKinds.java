package dev.besom.cascade;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;

/** The kinds of this family. */
public final class CascadeKinds {

    private static final String FAMILY = "cascade";
    private static final String PAPER =
            "Bender, Farach-Colton, Goswami, Johnson, McCauley, Singh: Bloom filters, adaptivity, and the dictionary"
                    + " problem. FOCS 2018, section 5";

    private CascadeKinds() {}

    /** All of them. */
    public static List<Kind> all() {
        return List.of(
                Kind.of(AdaptiveBloomFilter.KIND, AdaptiveBloomFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .options(() -> AdaptiveBloomFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .forgetsRepairs()
                        .makes(AdaptiveBloomFilter::make)
                        .reads(() -> AdaptiveBloomFilter.FORM, AdaptiveBloomFilter::read)
                        .toKind(),
                Kind.of(CascadeFilter.KIND, CascadeFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .options(() -> CascadeFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .forgetsRepairs()
                        .makes(CascadeFilter::make)
                        .reads(() -> CascadeFilter.FORM, CascadeFilter::read)
                        .toKind());
    }
}
