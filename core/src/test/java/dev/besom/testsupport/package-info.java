/** Instruments that the tests of several packages share. */
@NullMarked
package dev.besom.testsupport;

import org.jspecify.annotations.NullMarked;
