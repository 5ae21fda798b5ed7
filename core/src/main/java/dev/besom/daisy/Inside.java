package dev.besom.daisy;

import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.BloomKinds;
import dev.besom.quotient.QuotientFilter;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import java.util.List;

/** Reads the filters of other families that are parts of a filter of this one. */
final class Inside {

    private static final Kind QUOTIENT = find(QuotientKinds.all(), "quotient");
    private static final Kind BLOOM = find(BloomKinds.all(), "bloom");

    private Inside() {}

    private static Kind find(List<Kind> kinds, String name) {
        return kinds.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static QuotientFilter quotient(FilterImage whole, int parameter, int section) {
        return (QuotientFilter) QUOTIENT.read(
                part(
                        QUOTIENT,
                        whole,
                        parameter,
                        section,
                        QUOTIENT.form().sections().size()),
                StoredHashes.none());
    }

    static BloomFilter bloom(FilterImage whole, int parameter, int section) {
        return (BloomFilter) BLOOM.read(part(BLOOM, whole, parameter, section, 1), StoredHashes.none());
    }

    /** Five parameters and so many sections of an image as an image of their own. */
    private static FilterImage part(Kind kind, FilterImage whole, int parameter, int section, int sections) {
        long[] parameters = new long[5];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = whole.parameter(parameter + i);
        }
        return new FilterImage(kind.name(), parameters, whole.sections().subList(section, section + sections));
    }
}
