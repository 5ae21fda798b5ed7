package dev.besom.spring;

import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * How keys of one type are taken, stored and hashed.
 *
 * @param javaType what a key is in Java
 * @param otherParameters what parameters may be besides
 * @param ofArgument makes a key of an argument
 */
record KeyForm<K>(
        Class<K> javaType,
        JdbcType<K> column,
        KeyHasher<? super K> hasher,
        List<Class<?>> otherParameters,
        Function<Object, K> ofArgument) {

    private static final KeyForm<String> TEXT =
            new KeyForm<>(String.class, JdbcType.text(), KeyHasher.utf8(), List.of(), String.class::cast);

    private static final KeyForm<Long> LONG = new KeyForm<>(
            Long.class,
            JdbcType.longs(),
            KeyHasher.longs(),
            List.of(long.class, Integer.class, int.class, Short.class, short.class),
            argument -> ((Number) argument).longValue());

    private static final KeyForm<UUID> UUIDS = new KeyForm<>(
            UUID.class,
            new JdbcType<>("UUID", PreparedStatement::setObject, (row, column) -> row.getObject(column, UUID.class)),
            KeyHasher.uuids(),
            List.of(),
            UUID.class::cast);

    static KeyForm<?> of(KeyType type) {
        return switch (type) {
            case TEXT -> TEXT;
            case LONG -> LONG;
            case UUID -> UUIDS;
        };
    }

    boolean takes(Class<?> parameter) {
        return parameter == javaType || otherParameters.contains(parameter);
    }
}
