package dev.besom.cascade;

import dev.besom.spi.ImageForm;
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

    public static List<Kind> all() {
        return List.of(
                Kind.of(AdaptiveBloomFilter.KIND, AdaptiveBloomFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .options(AdaptiveBloomFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .forgetsRepairs()
                        .makes(AdaptiveBloomFilter::make)
                        .reads(new ImageForm(AdaptiveBloomFilter.KIND), AdaptiveBloomFilter::read)
                        .toKind(),
                Kind.of(CascadeFilter.KIND, CascadeFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .options(CascadeFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .forgetsRepairs()
                        .makes(CascadeFilter::make)
                        .reads(new ImageForm(CascadeFilter.KIND), CascadeFilter::read)
                        .toKind());
    }
}
