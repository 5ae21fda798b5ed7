/** The file format of filters: written whole or not at all, refused where a single bit is wrong. */
@NullMarked
package dev.besom.codec;

import org.jspecify.annotations.NullMarked;
