package dev.besom.hash;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys of any type, by the bytes of the parts that a feeder gives.
 *
 * <p>Each thread keeps the sink for its next key. A feeder that hashes a key itself finds the sink taken and gets a new
 * one.
 *
 * @param <K> the keys
 */
final class FedHasher<K> implements KeyHasher<K> {

    /** Between the kind of keys and the function in an id. */
    private static final char SEPARATOR = ':';

    private final String keys;
    private final KeyFeeder<? super K> feeder;
    private final BytesHasher bytes;
    private final HasherStamp stamp;
    private final ThreadLocal<Holder> holders = ThreadLocal.withInitial(Holder::new);

    /**
     * @param keys what an id says instead of {@code bytes}
     */
    FedHasher(String keys, KeyFeeder<? super K> feeder, BytesHasher bytes) {
        this.keys = keys;
        this.feeder = feeder;
        this.bytes = bytes;
        String id = bytes.stamp().id();
        this.stamp = new HasherStamp(
                keys + id.substring(id.indexOf(SEPARATOR)), bytes.stamp().seed());
    }

    @Override
    public long hash(K key) {
        Holder holder = holders.get();
        KeySink sink = holder.take();
        feeder.feed(key, sink);
        long hash = sink.hash(bytes);
        sink.clear();
        holder.sink = sink;
        return hash;
    }

    @Override
    public HasherStamp stamp() {
        return stamp;
    }

    @Override
    public Optional<KeyHasher<K>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(new FedHasher<>(keys, feeder, KeyHasher.secretBytes(secret, function)));
    }

    @Override
    public String toString() {
        return stamp.toString();
    }

    /** A thread's sink; null while it is in use, and after a key that failed half-way. */
    private static final class Holder {

        private @Nullable KeySink sink;

        KeySink take() {
            KeySink kept = sink;
            sink = null;
            return kept == null ? new KeySink() : kept;
        }
    }
}
