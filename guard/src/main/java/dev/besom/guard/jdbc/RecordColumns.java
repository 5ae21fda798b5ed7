package dev.besom.guard.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes records apart to columns and makes them of columns. */
final class RecordColumns<T extends Record> {

    /** The types of columns in a table that Besom makes; other types have to be there already. */
    private static final Map<Class<?>, String> SQL_TYPES = Map.of(
            String.class, "VARCHAR",
            Long.class, "BIGINT",
            Integer.class, "INTEGER",
            Short.class, "SMALLINT",
            Boolean.class, "BOOLEAN",
            Double.class, "DOUBLE PRECISION",
            Float.class, "REAL",
            BigDecimal.class, "DECIMAL(38, 9)",
            byte[].class, "BYTEA");

    private final MethodHandle constructor;
    private final List<MethodHandle> accessors;
    private final List<Class<?>> types;

    private RecordColumns(MethodHandle constructor, List<MethodHandle> accessors, List<Class<?>> types) {
        this.constructor = constructor;
        this.accessors = accessors;
        this.types = types;
    }

    static <T extends Record> JdbcColumns<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        List<JdbcColumn> columns = new ArrayList<>();
        List<MethodHandle> accessors = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        try {
            for (RecordComponent component : type.getRecordComponents()) {
                Class<?> boxed =
                        MethodType.methodType(component.getType()).wrap().returnType();
                columns.add(new JdbcColumn(snakeCase(component.getName()), SQL_TYPES.getOrDefault(boxed, "VARCHAR")));
                accessors.add(lookup.unreflect(component.getAccessor()));
                types.add(boxed);
            }
            Class<?>[] parameters = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, parameters));
            RecordColumns<T> mapping = new RecordColumns<>(constructor, accessors, types);
            return new JdbcColumns<>(columns, mapping::set, (row, column) -> type.cast(mapping.get(row, column)));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException("the record " + type.getName() + " cannot be made by this lookup", e);
        }
    }

    private static String snakeCase(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private void set(PreparedStatement statement, int first, T value) throws SQLException {
        for (int i = 0; i < accessors.size(); i++) {
            Object part = call(accessors.get(i), value);
            if (part == null) {
                statement.setNull(first + i, types.get(i) == byte[].class ? Types.VARBINARY : Types.NULL);
            } else if (part instanceof byte[] bytes) {
                statement.setBytes(first + i, bytes);
            } else {
                statement.setObject(first + i, part);
            }
        }
    }

    private @Nullable Object get(ResultSet row, int first) throws SQLException {
        Object[] parts = new Object[types.size()];
        boolean isThere = false;
        for (int i = 0; i < parts.length; i++) {
            Object part = read(row, first + i, types.get(i));
            isThere |= part != null;
            parts[i] = part;
        }
        return isThere ? call(constructor, parts) : null;
    }

    private static @Nullable Object read(ResultSet row, int column, Class<?> type) throws SQLException {
        Object part;
        if (type == String.class) {
            part = row.getString(column);
        } else if (type == byte[].class) {
            part = row.getBytes(column);
        } else if (type == Long.class) {
            part = row.getLong(column);
        } else if (type == Integer.class) {
            part = row.getInt(column);
        } else if (type == Short.class) {
            part = row.getShort(column);
        } else if (type == Boolean.class) {
            part = row.getBoolean(column);
        } else if (type == Double.class) {
            part = row.getDouble(column);
        } else if (type == Float.class) {
            part = row.getFloat(column);
        } else if (type == BigDecimal.class) {
            part = row.getBigDecimal(column);
        } else {
            part = row.getObject(column, type);
        }
        return row.wasNull() ? null : part;
    }

    private static @Nullable Object call(MethodHandle method, Object... arguments) {
        try {
            return method.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
