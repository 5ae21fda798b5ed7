package dev.besom.bloom;

import dev.besom.Kind;
import java.util.List;

/** The kinds of this family. */
public final class BloomKinds {

    private BloomKinds() {}

    public static List<Kind> all() {
        return List.of();
    }
}
