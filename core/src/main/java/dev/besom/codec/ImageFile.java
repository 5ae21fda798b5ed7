package dev.besom.codec;

import dev.besom.hash.HasherStamp;
import dev.besom.spi.FilterImage;

/**
 * What the bytes of a filter say, before any kind has looked at it.
 *
 * @param image the filter's state
 * @param hasher the hasher whose hashes were put in
 */
public record ImageFile(FilterImage image, HasherStamp hasher) {}
