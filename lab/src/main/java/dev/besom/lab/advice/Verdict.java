package dev.besom.lab.advice;

/**
 * A kind that was not chosen.
 *
 * @param kind its name
 * @param whyNot in one sentence
 */
public record Verdict(String kind, String whyNot) {}
