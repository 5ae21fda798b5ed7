package dev.besom.guard;

import dev.besom.filters.Filters;
import dev.besom.guard.shard.FilterChoice;
import dev.besom.spi.Kind;
import java.util.stream.Stream;

/** The kinds of filters that a guard can have, for tests that try each of them. */
public final class PossibleKinds {

    /** For a {@code MethodSource}. */
    public static final String NAMES = "dev.besom.guard.PossibleKinds#names";

    private PossibleKinds() {}

    /** How many there are. */
    public static int count() {
        return (int) names().count();
    }

    /** The number of a kind among them, from 0. */
    public static int number(String kind) {
        return names().toList().indexOf(kind);
    }

    /** Their names. */
    public static Stream<String> names() {
        return Filters.kinds().stream().filter(FilterChoice::isPossible).map(Kind::name);
    }
}
