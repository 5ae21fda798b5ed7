package dev.besom.bloom;

import dev.besom.MalformedFilterException;
import dev.besom.bits.BitVector;
import dev.besom.spi.FilterImage;
import java.util.Objects;

/** Checks that filters or images fit together, with complaints that name what does not. */
final class Shapes {

    private final String kind;

    Shapes(String kind) {
        this.kind = kind;
    }

    <F> F sameClass(Class<F> type, Object other) {
        if (!type.isInstance(other)) {
            throw new IllegalArgumentException("a " + kind + " filter does not go together with a "
                    + other.getClass().getSimpleName());
        }
        return type.cast(other);
    }

    void same(String what, Object mine, Object theirs) {
        if (!Objects.equals(mine, theirs)) {
            throw new IllegalArgumentException(kind + " filters differ in " + what + ": " + mine + " and " + theirs);
        }
    }

    /** A section as a vector of that many bits, at least one. */
    static BitVector readBits(FilterImage image, int section, long sizeInBits) {
        image.check(sizeInBits >= 1, "a size of " + sizeInBits + " bits cannot be");
        try {
            return new BitVector(image.sections().get(section), sizeInBits);
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(image.kind() + ": " + e.getMessage(), e);
        }
    }
}
