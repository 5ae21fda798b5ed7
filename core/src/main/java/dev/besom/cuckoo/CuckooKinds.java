package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.List;

/** The kinds of this family. */
public final class CuckooKinds {

    private static final String FAMILY = "cuckoo";
    private static final String ADAPTIVE_PAPER = "Mitzenmacher, Pontarelli, Reviriego, ALENEX 2018";

    private CuckooKinds() {}

    public static List<Kind> all() {
        return List.of(
                Kind.of(CuckooFilter.KIND, PartialKeyFilter.class)
                        .family(FAMILY)
                        .paper("Fan, Andersen, Kaminsky, Mitzenmacher, CoNEXT 2014")
                        .options(() -> CuckooMath.OPTIONS)
                        .option("slots", "of a bucket: 4, and two buckets a key; or 1, and four of them; default 4")
                        .makes((spec, stored) -> makeCuckoo(spec))
                        .reads(() -> CuckooFilter.FORM.fields, (image, stored) -> readCuckoo(image))
                        .toKind(),
                Kind.of(CuckooFilter.VACUUM_KIND, CuckooFilter.class)
                        .family(FAMILY)
                        .paper("Wang, Zhou, Shi, Qian, VLDB 2020")
                        .options(() -> CuckooMath.OPTIONS)
                        .makes((spec, stored) -> CuckooFilter.makeVacuum(spec))
                        .reads(() -> CuckooFilter.VACUUM_FORM.fields, (image, stored) -> CuckooFilter.readVacuum(image))
                        .toKind(),
                Kind.of(WindowedCuckooFilter.KIND, WindowedCuckooFilter.class)
                        .family(FAMILY)
                        .paper("Schmitz, Zentgraf, Rahmann, 2025; windows of Lehman, Panigrahy, ESA 2009")
                        .options(() -> CuckooMath.OPTIONS_OF_WINDOWS)
                        .makes((spec, stored) -> WindowedCuckooFilter.make(spec))
                        .reads(
                                () -> WindowedCuckooFilter.FORM.fields,
                                (image, stored) -> WindowedCuckooFilter.read(image))
                        .toKind(),
                Kind.of(StaticCuckooFilter.KIND, StaticCuckooFilter.class)
                        .family(FAMILY)
                        .paper("Pagh, Rodler, Journal of Algorithms 2004; signatures of Pagh, Pagh, Rao, SODA 2005")
                        .options(() -> CuckooMath.OPTIONS)
                        .builds((spec, hashes, stored) -> StaticCuckooFilter.build(spec, hashes))
                        .reads(() -> StaticCuckooFilter.FORM.fields, (image, stored) -> StaticCuckooFilter.read(image))
                        .toKind(),
                Kind.of(CyclicCuckooFilter.KIND, CyclicCuckooFilter.class)
                        .family(FAMILY)
                        .paper(ADAPTIVE_PAPER)
                        .options(() -> CuckooMath.OPTIONS)
                        .option("selectors", "selector bits of a slot, 1 to 3, default 2")
                        .adapts(Adaptivity.HEURISTIC, Double.NaN)
                        .forgetsRepairs()
                        .makes(CyclicCuckooFilter::make)
                        .reads(() -> CyclicCuckooFilter.FORM.table().fields, CyclicCuckooFilter::read)
                        .toKind(),
                Kind.of(SwappingCuckooFilter.KIND, SwappingCuckooFilter.class)
                        .family(FAMILY)
                        .paper(ADAPTIVE_PAPER)
                        .option(
                                "fingerprint",
                                "bits of a slot, 4 to 16, whatever the rate; default: the fewest that keep it")
                        .adapts(Adaptivity.HEURISTIC, Double.NaN)
                        .forgetsRepairs()
                        .makes(SwappingCuckooFilter::make)
                        .reads(() -> SwappingCuckooFilter.FORM.table().fields, SwappingCuckooFilter::read)
                        .toKind(),
                Kind.of(CuckooingFilter.KIND, CuckooingFilter.class)
                        .family(FAMILY)
                        .paper("Kopelowitz, McCauley, Porat, WADS 2021")
                        .options(() -> CuckooMath.OPTIONS)
                        .adapts(Adaptivity.HEURISTIC, Double.NaN)
                        .forgetsRepairs()
                        .makes(CuckooingFilter::make)
                        .reads(() -> CuckooingFilter.FORM.table().fields, CuckooingFilter::read)
                        .toKind());
    }

    private static PartialKeyFilter makeCuckoo(FilterSpec spec) {
        String slots = spec.option("slots", "4");
        return switch (slots) {
            case "4" -> CuckooFilter.make(spec);
            case "1" -> SingleSlotCuckooFilter.make(spec);
            default -> throw new IllegalArgumentException("option slots must be 4 or 1, not '" + slots + "'");
        };
    }

    private static PartialKeyFilter readCuckoo(FilterImage image) {
        long slots = image.get(CuckooFilter.BUCKET_SLOTS, 1, Buckets.SLOTS);
        image.check(slots == 1 || slots == Buckets.SLOTS, "buckets cannot have " + slots + " slots");
        return slots == 1 ? SingleSlotCuckooFilter.read(image) : CuckooFilter.read(image);
    }
}
