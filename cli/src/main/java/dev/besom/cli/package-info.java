/** The command line: parse, call, print. */
@NullMarked
package dev.besom.cli;

import org.jspecify.annotations.NullMarked;
