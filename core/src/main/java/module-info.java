/** Approximate-membership filters over 64-bit hashes. */
module dev.besom.core {
    requires static transitive org.jspecify;
    requires com.dynatrace.hash4j;

    // For users, and for those who add a kind.
    exports dev.besom;
    exports dev.besom.distribution;
    exports dev.besom.filters;
    exports dev.besom.hash;
    exports dev.besom.spi;
    exports dev.besom.stored;

    // For Besom's own modules.
    exports dev.besom.adaptive to
            dev.besom.guard;
    exports dev.besom.bits to
            dev.besom.cli,
            dev.besom.guard,
            dev.besom.lab;
    exports dev.besom.bloom to
            dev.besom.cli,
            dev.besom.guard,
            dev.besom.lab;
    exports dev.besom.bloomier to
            dev.besom.cli,
            dev.besom.lab;
    exports dev.besom.broom to
            dev.besom.lab;
    exports dev.besom.codec to
            dev.besom.cli,
            dev.besom.guard,
            dev.besom.lab;
    exports dev.besom.compact to
            dev.besom.lab;
    exports dev.besom.cuckoo to
            dev.besom.lab;
    exports dev.besom.daisy to
            dev.besom.cli,
            dev.besom.lab;
    exports dev.besom.fuse to
            dev.besom.lab;
    exports dev.besom.math to
            dev.besom.lab;
    exports dev.besom.quotient to
            dev.besom.lab;
    exports dev.besom.quotient.slots to
            dev.besom.lab;

    uses dev.besom.spi.KindProvider;
}
