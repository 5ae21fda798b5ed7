package dev.besom.broom;

import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import dev.besom.spi.Kind.Traits;
import java.util.List;

/** The kinds of this family. */
public final class BroomKinds {

    private BroomKinds() {}

    public static List<Kind> all() {
        return List.of(new Kind(
                BroomFilter.KIND,
                "broom",
                BroomFilter.class,
                new Traits(true, false, Adaptivity.PROVABLE),
                "Bender, Farach-Colton, Goswami, Johnson, McCauley, Singh: Bloom filters, adaptivity, and the dictionary"
                        + " problem. FOCS 2018",
                BroomFilter.OPTIONS,
                BroomFilter::make,
                BroomFilter::read));
    }
}
