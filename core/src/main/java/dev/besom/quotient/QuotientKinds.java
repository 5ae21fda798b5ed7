package dev.besom.quotient;

import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of this family. */
public final class QuotientKinds {

    private static final String FAMILY = "quotient";
    private static final String TELESCOPING_PAPER =
            "Lee, McCauley, Singh, Stein: Telescoping filter: a practical adaptive filter. ESA 2021";

    private QuotientKinds() {}

    public static List<Kind> all() {
        return List.of(
                Kind.of(QuotientFilter.KIND, QuotientFilter.class)
                        .family(FAMILY)
                        .paper("Pandey, Bender, Johnson, Patro: A general-purpose counting filter. SIGMOD 2017")
                        .options(TableShape.OPTIONS)
                        .makes((spec, stored) -> QuotientFilter.make(spec))
                        .reads(new ImageForm(QuotientFilter.KIND), (image, stored) -> QuotientFilter.read(image))
                        .toKind(),
                Kind.of(TelescopingFilter.KIND, TelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(telescopingOptions())
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(TelescopingFilter::make)
                        .reads(new ImageForm(TelescopingFilter.KIND), TelescopingFilter::read)
                        .toKind(),
                Kind.of(TelescopingFilter.PLAIN_KIND, TelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(TableShape.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(TelescopingFilter::makePlain)
                        .reads(new ImageForm(TelescopingFilter.PLAIN_KIND), TelescopingFilter::readPlain)
                        .toKind(),
                Kind.of(CompactTelescopingFilter.KIND, CompactTelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(CompactTelescopingFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(CompactTelescopingFilter::make)
                        .reads(new ImageForm(CompactTelescopingFilter.KIND), CompactTelescopingFilter::read)
                        .toKind(),
                Kind.of(ExtensionFilter.KIND, ExtensionFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(ExtensionFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(ExtensionFilter::make)
                        .reads(new ImageForm(ExtensionFilter.KIND), ExtensionFilter::read)
                        .toKind());
    }

    private static Map<String, String> telescopingOptions() {
        Map<String, String> options = new TreeMap<>(TableShape.OPTIONS);
        options.put("spill", "the most bits a key for blocks whose selectors are full, 0 to 16, default 0.5");
        return options;
    }
}
