/**
 * Guards in a Spring Boot application: configured by properties, asked by {@link dev.besom.spring.Guarded} methods, with
 * meters and health.
 */
@NullMarked
package dev.besom.spring;

import org.jspecify.annotations.NullMarked;
