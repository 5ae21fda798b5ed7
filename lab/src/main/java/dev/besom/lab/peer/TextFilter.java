package dev.besom.lab.peer;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A filter that takes texts, each as its makers mean it to be used; hashing is its own.
 *
 * @param add puts a text in
 * @param mightContain asks for one
 */
public record TextFilter(Consumer<String> add, Predicate<String> mightContain) {}
