package dev.besom.testkit;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.stream.Stream;

/** Every kind of the facade that holds values. */
final class EveryKindMapTest extends MapContract {

    @Override
    protected Stream<MapSubject> subjects() {
        return Filters.kinds().stream().filter(Kind::holdsValues).flatMap(MapSubject::usualGridOf);
    }
}
