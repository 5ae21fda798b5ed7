package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.quotient.slots.TableShape;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;

/** The kinds of this family. */
public final class QuotientKinds {

    private static final String FAMILY = "quotient";
    private static final String TELESCOPING_PAPER =
            "Lee, McCauley, Singh, Stein: Telescoping filter: a practical adaptive filter. ESA 2021";

    /** Budgets are stated for this rate; for another one they are inversely proportional to it. */
    private static final double BUDGET_RATE = 0.01;

    private QuotientKinds() {}

    private static final Kind QUOTIENT = Kind.of(QuotientFilter.KIND, QuotientFilter.class)
            .family(FAMILY)
            .paper("Pandey, Bender, Johnson, Patro: A general-purpose counting filter. SIGMOD 2017")
            .options(() -> TableShape.OPTIONS)
            .makes((spec, stored) -> QuotientFilter.make(spec))
            .reads(() -> QuotientFilter.FORM.form(), (image, stored) -> QuotientFilter.read(image))
            .toKind();

    /** All kinds of the family. */
    public static List<Kind> all() {
        return List.of(
                QUOTIENT,
                Kind.of(TelescopingFilter.KIND, TelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(() -> TelescopingFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, budget(TelescopingFilter.REPAIRS_PER_KEY))
                        .makes(TelescopingFilter::make)
                        .reads(() -> TelescopingFilter.FORM.form(), TelescopingFilter::read)
                        .toKind(),
                Kind.of(TelescopingFilter.PLAIN_KIND, TelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(() -> TableShape.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, budget(TelescopingFilter.PLAIN_REPAIRS_PER_KEY))
                        .makes(TelescopingFilter::makePlain)
                        .reads(() -> TelescopingFilter.PLAIN_FORM.form(), TelescopingFilter::readPlain)
                        .toKind(),
                Kind.of(CompactTelescopingFilter.KIND, CompactTelescopingFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(() -> CompactTelescopingFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, budget(CompactTelescopingFilter.REPAIRS_PER_KEY))
                        .makes(CompactTelescopingFilter::make)
                        .reads(() -> CompactTelescopingFilter.FORM.form(), CompactTelescopingFilter::read)
                        .toKind(),
                Kind.of(ExtensionFilter.KIND, ExtensionFilter.class)
                        .family(FAMILY)
                        .paper(TELESCOPING_PAPER)
                        .options(() -> ExtensionFilter.OPTIONS)
                        .adapts(Adaptivity.PROVABLE, budget(ExtensionFilter.REPAIRS_PER_KEY))
                        .makes(ExtensionFilter::make)
                        .reads(() -> ExtensionFilter.FORM.form(), ExtensionFilter::read)
                        .toKind());
    }

    /** The unique queries a key that cause so many repairs a key, at the rate that budgets are stated for. */
    private static double budget(double repairsPerKey) {
        return repairsPerKey / BUDGET_RATE;
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
