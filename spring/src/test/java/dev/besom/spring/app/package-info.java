/** An application that the tests start: users in a table, found by their addresses. */
@NullMarked
package dev.besom.spring.app;

import org.jspecify.annotations.NullMarked;
