package com.example.kinds;

import dev.besom.spi.Kind;
import dev.besom.spi.KindProvider;
import java.util.List;

/** What Besom finds by ServiceLoader. */
public final class ExampleKinds implements KindProvider {

    @Override
    public List<Kind> kinds() {
        return List.of(
                Kind.of("example-sliced", SlicedBloomFilter.class)
                        .family("example")
                        .paper("Almeida, Baquero, Preguiça, Hutchison: Scalable Bloom filters. IPL 2007, section 2")
                        .option("slices", "slices of bits, 1 to 62; more make the rate lower")
                        .makes((spec, stored) -> SlicedBloomFilter.make(spec))
                        .reads(SlicedBloomFilter.FORM, (image, stored) -> SlicedBloomFilter.read(image))
                        .toKind(),
                Kind.of("example-sorted", SortedFingerprints.class)
                        .family("example")
                        .paper(
                                "Carter, Floyd, Gill, Markowsky, Wegman: Exact and approximate membership testers. STOC 1978")
                        .builds((spec, hashes, stored) -> SortedFingerprints.build(spec, hashes))
                        .reads(SortedFingerprints.FORM, (image, stored) -> SortedFingerprints.read(image))
                        .toKind());
    }
}
