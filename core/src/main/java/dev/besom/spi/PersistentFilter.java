package dev.besom.spi;

import dev.besom.ConcurrentFilter;
import dev.besom.MembershipFilter;

/** A filter that {@code dev.besom.codec.FilterCodec} can write to bytes and read again. */
public interface PersistentFilter extends MembershipFilter {

    /**
     * The filter's state, sharing its memory: a moment's view, to be written at once and not to be changed. While it is
     * in use only {@link ConcurrentFilter}s may be inserted into, and such inserts may or may not be part of the image.
     */
    FilterImage image();
}
