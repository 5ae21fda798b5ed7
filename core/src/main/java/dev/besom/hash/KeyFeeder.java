package dev.besom.hash;

/**
 * Gives the parts of a key to a sink: how a type of the user's own is hashed.
 *
 * <pre>{@code
 *   record Seat(String train, int number) {}
 *
 *   KeyHasher<Seat> hasher =
 *           KeyHasher.of("seat", (seat, sink) -> sink.putText(seat.train()).putInt(seat.number()));
 * }</pre>
 *
 * Keys that are equal must give equal parts, for ever: filters in files depend on it.
 *
 * @param <K> the keys
 */
@FunctionalInterface
public interface KeyFeeder<K> {

    /** Gives all parts of a key that tell it from others. */
    void feed(K key, KeySink sink);
}
