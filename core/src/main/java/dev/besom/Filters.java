package dev.besom;

import dev.besom.bloom.BloomKinds;
import dev.besom.quotient.QuotientKinds;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facade: every kind of filter by name, and one factory for each. */
public final class Filters {

    private static final List<Kind> KINDS = Stream.of(BloomKinds.all(), QuotientKinds.all())
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Kind> BY_NAME =
            KINDS.stream().collect(Collectors.toUnmodifiableMap(Kind::name, Function.identity()));

    private Filters() {}

    /** Every kind of filter that this version has, family by family. */
    public static List<Kind> kinds() {
        return KINDS;
    }

    /**
     * The kind of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Kind kind(String name) {
        Kind kind = BY_NAME.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("unknown kind '" + name + "'; known: "
                    + KINDS.stream().map(Kind::name).collect(Collectors.joining(", ")));
        }
        return kind;
    }

    /**
     * The filter that an image was made from.
     *
     * @throws MalformedFilterException if no filter of a kind known here wrote it
     */
    public static PersistentFilter read(FilterImage image, StoredHashes stored) {
        Kind kind = BY_NAME.get(image.kind());
        if (kind == null) {
            throw new MalformedFilterException("kind '" + image.kind() + "' is not known to this version");
        }
        return kind.reader().read(image, stored);
    }
}
