package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomKinds;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.List;

/**
 * Filters of another family that are parts of a filter of this one: made and read by their kind.
 *
 * @param <F> the class of the filters
 */
final class Inside<F extends PersistentFilter> {

    private final Kind kind;
    private final Class<F> type;

    private Inside(Kind kind, Class<F> type) {
        this.kind = kind;
        this.type = type;
    }

    static <F extends PersistentFilter> Inside<F> quotient(Class<F> type) {
        return new Inside<>(find(QuotientKinds.all(), "quotient"), type);
    }

    static <F extends PersistentFilter> Inside<F> bloom(Class<F> type) {
        return new Inside<>(find(BloomKinds.all(), "bloom"), type);
    }

    private static Kind find(List<Kind> kinds, String name) {
        return kinds.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** An empty filter. */
    F make(FilterSpec spec) {
        return type.cast(kind.make(spec, StoredHashes.none()));
    }

    /** The filters that are the parts of an image. */
    List<F> read(ImageForm form, FilterImage image) {
        return image.parts(form, kind.form()).stream()
                .map(part -> type.cast(kind.read(part, StoredHashes.none())))
                .toList();
    }
}
