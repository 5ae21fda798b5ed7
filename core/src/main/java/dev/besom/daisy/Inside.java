package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomKinds;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.Arrays;
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
        return parts(form, image).stream()
                .map(part -> type.cast(kind.read(part, StoredHashes.none())))
                .toList();
    }

    private List<FilterImage> parts(ImageForm form, FilterImage image) {
        return kind.form().fields().isEmpty() ? cut(form, image) : image.parts(form, kind.form());
    }

    /** The parts where their kind has not declared its fields: five parameters, and a section or two. */
    private List<FilterImage> cut(ImageForm form, FilterImage image) {
        int firstParameter = form.fields().size() + 1 + image.list(form).length;
        int firstSection = form.sections().size();
        int sections = kind.name().equals("quotient") ? 2 : 1;
        int count = (image.parameterCount() - firstParameter) / 5;
        image.check(
                firstParameter + count * 5 == image.parameterCount()
                        && firstSection + count * sections == image.sections().size(),
                "its parts are not whole");
        long[] parameters = new long[count * 5];
        Arrays.setAll(parameters, i -> image.parameter(firstParameter + i));
        List<FilterImage> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int section = firstSection + i * sections;
            parts.add(new FilterImage(
                    kind.name(),
                    Arrays.copyOfRange(parameters, 5 * i, 5 * i + 5),
                    image.sections().subList(section, section + sections)));
        }
        return parts;
    }
}
