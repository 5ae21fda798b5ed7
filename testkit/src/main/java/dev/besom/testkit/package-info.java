/** What a filter's test inherits: the promises of its interfaces as tests, streams of keys, statistical bounds. */
@NullMarked
package dev.besom.testkit;

import org.jspecify.annotations.NullMarked;
