package dev.besom.cascade;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import dev.besom.spi.Kind.Traits;
import java.util.List;

/** The kinds of this family. */
public final class CascadeKinds {

    private static final String FAMILY = "cascade";
    private static final Traits ADAPTIVE = new Traits(false, false, Adaptivity.PROVABLE, false);
    private static final String PAPER =
            "Bender, Farach-Colton, Goswami, Johnson, McCauley, Singh: Bloom filters, adaptivity, and the dictionary"
                    + " problem. FOCS 2018, section 5";

    private CascadeKinds() {}

    public static List<Kind> all() {
        return List.of(
                new Kind(
                        AdaptiveBloomFilter.KIND,
                        FAMILY,
                        AdaptiveBloomFilter.class,
                        ADAPTIVE,
                        PAPER,
                        AdaptiveBloomFilter.OPTIONS,
                        AdaptiveBloomFilter::make,
                        AdaptiveBloomFilter::read),
                new Kind(
                        CascadeFilter.KIND,
                        FAMILY,
                        CascadeFilter.class,
                        ADAPTIVE,
                        PAPER,
                        CascadeFilter.OPTIONS,
                        CascadeFilter::make,
                        CascadeFilter::read));
    }
}
