package dev.besom.quotient;

import dev.besom.Kind;
import dev.besom.Kind.Traits;
import java.util.List;

/** The kinds of this family. */
public final class QuotientKinds {

    private static final String FAMILY = "quotient";

    private QuotientKinds() {}

    public static List<Kind> all() {
        return List.of(new Kind(
                QuotientFilter.KIND,
                FAMILY,
                QuotientFilter.class,
                Traits.PLAIN,
                "Pandey, Bender, Johnson, Patro: A general-purpose counting filter. SIGMOD 2017",
                TableShape.OPTIONS,
                (spec, stored) -> QuotientFilter.make(spec),
                (image, stored) -> QuotientFilter.read(image)));
    }
}
