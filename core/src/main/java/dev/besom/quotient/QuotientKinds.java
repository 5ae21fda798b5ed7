package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.tags.SelectorForm;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;

/** The kinds of this family. */
public final class QuotientKinds {

    private static final String FAMILY = "quotient";
    private static final String TELESCOPING_PAPER =
            "Lee, McCauley, Singh, Stein: Telescoping filter: a practical adaptive filter. ESA 2021";

    private QuotientKinds() {}

    private static final Kind QUOTIENT = Kind.of(QuotientFilter.KIND, QuotientFilter.class)
            .family(FAMILY)
            .paper("Pandey, Bender, Johnson, Patro: A general-purpose counting filter. SIGMOD 2017")
            .options(TableShape.OPTIONS)
            .makes((spec, stored) -> QuotientFilter.make(spec))
            .reads(QuotientFilter.FORM.form(), (image, stored) -> QuotientFilter.read(image))
            .toKind();

    /** All kinds of the family. */
    public static List<Kind> all() {
        return List.of(
                QUOTIENT,
                telescoping(TelescopingFilter.KIND, TelescopingFilter.FORM, SelectorForm.BITMAP)
                        .options(TelescopingFilter.OPTIONS)
                        .toKind(),
                telescoping(TelescopingFilter.PLAIN_KIND, TelescopingFilter.PLAIN_FORM, SelectorForm.PLAIN)
                        .options(TableShape.OPTIONS)
                        .toKind(),
                Kind.of(CompactTelescopingFilter.KIND, CompactTelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(CompactTelescopingFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(CompactTelescopingFilter::make)
                        .reads(CompactTelescopingFilter.FORM.form(), CompactTelescopingFilter::read)
                        .toKind(),
                Kind.of(ExtensionFilter.KIND, ExtensionFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(ExtensionFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                        .makes(ExtensionFilter::make)
                        .reads(ExtensionFilter.FORM.form(), ExtensionFilter::read)
                        .toKind());
    }

    private static Kind.Builder telescoping(String name, TaggedForm fields, SelectorForm form) {
        return Kind.of(name, TelescopingFilter.class)
                .family(FAMILY)
                .paper(TELESCOPING_PAPER)
                .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                .makes((spec, stored) -> TelescopingFilter.make(form, spec, stored))
                .reads(fields.form(), (image, stored) -> TelescopingFilter.read(form, image, stored));
    }

    /** The kind {@code quotient}, for families that are built on it. */
    public static Kind quotient() {
        return QUOTIENT;
    }

    /** An empty filter of the kind {@code quotient}, for families that are built on it. */
    public static QuotientFilter makeQuotient(FilterSpec spec) {
        return (QuotientFilter) QUOTIENT.make(spec, StoredHashes.none());
    }
}
