package dev.besom;

/**
 * A filter that takes more keys than it was planned for and keeps its rate, by itself: {@link #insertHash(long)} makes room
 * where there is none.
 */
public interface ScalableFilter extends InsertableFilter {}
