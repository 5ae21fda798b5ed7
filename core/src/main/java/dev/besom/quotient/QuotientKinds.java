package dev.besom.quotient;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import dev.besom.spi.Kind.Traits;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of this family. */
public final class QuotientKinds {

    private static final String FAMILY = "quotient";
    private static final Traits ADAPTIVE = new Traits(true, false, Adaptivity.PROVABLE);
    private static final String TELESCOPING_PAPER =
            "Lee, McCauley, Singh, Stein: Telescoping filter: a practical adaptive filter. ESA 2021";

    private QuotientKinds() {}

    public static List<Kind> all() {
        return List.of(
                new Kind(
                        QuotientFilter.KIND,
                        FAMILY,
                        QuotientFilter.class,
                        new Traits(true, false, Adaptivity.NO),
                        "Pandey, Bender, Johnson, Patro: A general-purpose counting filter. SIGMOD 2017",
                        TableShape.OPTIONS,
                        (spec, stored) -> QuotientFilter.make(spec),
                        (image, stored) -> QuotientFilter.read(image)),
                new Kind(
                        TelescopingFilter.KIND,
                        FAMILY,
                        TelescopingFilter.class,
                        ADAPTIVE,
                        TELESCOPING_PAPER,
                        telescopingOptions(),
                        TelescopingFilter::make,
                        TelescopingFilter::read),
                new Kind(
                        TelescopingFilter.PLAIN_KIND,
                        FAMILY,
                        TelescopingFilter.class,
                        ADAPTIVE,
                        TELESCOPING_PAPER,
                        TableShape.OPTIONS,
                        TelescopingFilter::makePlain,
                        TelescopingFilter::readPlain),
                new Kind(
                        CompactTelescopingFilter.KIND,
                        FAMILY,
                        CompactTelescopingFilter.class,
                        ADAPTIVE,
                        TELESCOPING_PAPER,
                        CompactTelescopingFilter.OPTIONS,
                        CompactTelescopingFilter::make,
                        CompactTelescopingFilter::read),
                new Kind(
                        ExtensionFilter.KIND,
                        FAMILY,
                        ExtensionFilter.class,
                        ADAPTIVE,
                        TELESCOPING_PAPER,
                        ExtensionFilter.OPTIONS,
                        ExtensionFilter::make,
                        ExtensionFilter::read));
    }

    private static Map<String, String> telescopingOptions() {
        Map<String, String> options = new TreeMap<>(TableShape.OPTIONS);
        options.put("spill", "the most bits a key for blocks whose selectors are full, 0 to 16, default 0.5");
        return options;
    }
}
