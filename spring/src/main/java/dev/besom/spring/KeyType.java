package dev.besom.spring;

/** What the column of keys holds. */
public enum KeyType {

    /** Texts: {@code String} in Java. */
    TEXT,

    /** Whole numbers: {@code long}, {@code int} and {@code short} in Java, and their objects. */
    LONG,

    /** Columns of type UUID: {@code java.util.UUID} in Java. */
    UUID
}
