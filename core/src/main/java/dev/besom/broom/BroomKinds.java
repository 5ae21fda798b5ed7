package dev.besom.broom;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;

/** The kinds of this family. */
public final class BroomKinds {

    private BroomKinds() {}

    /** The broom filter. */
    public static List<Kind> all() {
        return List.of(Kind.of(BroomFilter.KIND, BroomFilter.class)
                .family("broom")
                .paper(
                        "Bender, Farach-Colton, Goswami, Johnson, McCauley, Singh: Bloom filters, adaptivity, and the dictionary"
                                + " problem. FOCS 2018")
                .options(() -> BroomFilter.OPTIONS)
                .adapts(Adaptivity.PROVABLE, Double.POSITIVE_INFINITY)
                .makes(BroomFilter::make)
                .reads(() -> BroomForm.FORM, BroomFilter::read)
                .toKind());
    }
}
