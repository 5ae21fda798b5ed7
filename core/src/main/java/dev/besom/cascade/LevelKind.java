package dev.besom.cascade;

import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.compact.CompactKinds;
import dev.besom.compact.TinySetFilter;
import dev.besom.quotient.QuotientFilter;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The kinds of which a cascade's levels can be. Another one joins by a {@link SingleHashFilter} and a line here. */
enum LevelKind {
    QUOTIENT(0, "quotient") {
        @Override
        List<Kind> family() {
            return QuotientKinds.all();
        }

        @Override
        SingleHashFilter level(PersistentFilter filter, long seed, double rate) {
            return new QuotientLevel((QuotientFilter) filter);
        }
    },
    TINY_SET(1, "tinyset") {
        @Override
        List<Kind> family() {
            return CompactKinds.all();
        }

        @Override
        SingleHashFilter level(PersistentFilter filter, long seed, double rate) {
            return new TinySetLevel((TinySetFilter) filter, seed, rate);
        }
    };

    /** The number in files. */
    final int id;

    /** The name of the kind, and of the option. */
    final String label;

    LevelKind(int id, String label) {
        this.id = id;
        this.label = label;
    }

    /** The kinds among which this one is. */
    abstract List<Kind> family();

    private Kind kind() {
        return family().stream()
                .filter(one -> one.name().equals(label))
                .findFirst()
                .orElseThrow();
    }

    abstract SingleHashFilter level(PersistentFilter filter, long seed, double rate);

    /** The form of the images of its filters. */
    ImageForm form() {
        return kind().form();
    }

    /** The kind that an option names. */
    static LevelKind of(String label) {
        return Arrays.stream(values())
                .filter(one -> one.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option inner must be "
                        + Arrays.stream(values()).map(one -> one.label).collect(Collectors.joining(" or ")) + ", not '"
                        + label + "'"));
    }

    /** The kind with a number of an image. */
    static LevelKind ofId(FilterImage image, long id) {
        return Arrays.stream(values())
                .filter(one -> one.id == id)
                .findFirst()
                .orElseThrow(
                        () -> new MalformedFilterException(image.kind() + ": levels of kind " + id + " are not known"));
    }

    /** An empty level. */
    SingleHashFilter make(long keys, double rate, long seed) {
        return level(kind().make(FilterSpec.of(keys, rate).withSeed(seed), StoredHashes.none()), seed, rate);
    }

    /** The level of an image of this kind. */
    SingleHashFilter read(FilterImage image, long seed, double rate) {
        return level(kind().read(image, StoredHashes.none()), seed, rate);
    }
}
