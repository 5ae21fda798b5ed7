/** Approximate-membership filters over 64-bit hashes. */
module dev.besom.core {
    requires static transitive org.jspecify;
    requires com.dynatrace.hash4j;

    exports dev.besom;
    exports dev.besom.bits;
    exports dev.besom.bloom;
    exports dev.besom.broom;
    exports dev.besom.cascade;
    exports dev.besom.codec;
    exports dev.besom.compact;
    exports dev.besom.cuckoo;
    exports dev.besom.daisy;
    exports dev.besom.distribution;
    exports dev.besom.filters;
    exports dev.besom.hash;
    exports dev.besom.math;
    exports dev.besom.quotient;
    exports dev.besom.spi;
    exports dev.besom.stored;

    uses dev.besom.spi.KindProvider;
}
