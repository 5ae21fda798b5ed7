/** Files that are written whole or not at all. */
@NullMarked
package dev.besom.files;

import org.jspecify.annotations.NullMarked;
