package dev.besom.fuse;

import dev.besom.spi.Kind;
import java.util.List;

/** The kinds of this family. */
public final class FuseKinds {

    private FuseKinds() {}

    /** Every kind of this family. */
    public static List<Kind> all() {
        return List.of(Kind.of(FuseFilter.KIND, FuseFilter.class)
                .family("fuse")
                .paper("Graf, Lemire: Binary fuse filters: fast and smaller than xor filters. JEA 2022")
                .option("arity", "slots a key has, 3 or 4, default 3: 4 is smaller and slower")
                .option("fingerprintBits", "bits of a slot, 1 to 32, whatever the rate")
                .builds((spec, hashes, stored) -> FuseFilter.build(spec, hashes))
                .reads(FuseFilter.FORM, (image, stored) -> FuseFilter.read(image))
                .toKind());
    }
}
