package dev.besom.fuse;

import dev.besom.spi.Kind;
import java.util.List;

/** The kinds of this family. */
public final class FuseKinds {

    private FuseKinds() {}

    /** Every kind of this family. */
    public static List<Kind> all() {
        return List.of(fuse(), ribbon());
    }

    private static Kind ribbon() {
        return Kind.of(RibbonFilter.KIND, RibbonFilter.class)
                .family("fuse")
                .paper(
                        "Dillinger, Hübschle-Schneider, Sanders, Walzer: Fast succinct retrieval and approximate membership"
                                + " using ribbon. SEA 2022")
                .option("fingerprintBits", "bits of a slot, 1 to 32, whatever the rate")
                .builds((spec, hashes, stored) -> RibbonFilter.build(spec, hashes))
                .reads(() -> RibbonFilter.FORM, (image, stored) -> RibbonFilter.read(image))
                .toKind();
    }

    private static Kind fuse() {
        return Kind.of(FuseFilter.KIND, FuseFilter.class)
                .family("fuse")
                .paper("Graf, Lemire: Binary fuse filters: fast and smaller than xor filters. JEA 2022")
                .option("arity", "slots a key has, 3 or 4, default 3: 4 is smaller and slower")
                .option("fingerprintBits", "bits of a slot, 1 to 32, whatever the rate")
                .option(
                        FuseBuilder.SHARD_KEYS_OPTION,
                        "most keys of a shard, 65536 to 2^27; several shards are built in less memory, 8 bytes a key and 14 for"
                                + " each key of a shard, and queried more slowly; default 2^27, and 2^21 where there are more keys")
                .builds((spec, hashes, stored) -> FuseFilter.build(spec, hashes))
                .reads(() -> FuseFilter.FORM, (image, stored) -> FuseFilter.read(image))
                .toKind();
    }
}
