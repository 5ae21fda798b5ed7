package dev.besom.lab.race;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A record as one line of text: {@code name=value} for each component, with blanks between. The components are numbers, or
 * records of such; those of an inner record have its name and a dot before theirs.
 *
 * <pre>
 *   answers.queries=20000 answers.falsePositives=17 ... sizeInBits=29120
 * </pre>
 */
final class RecordText {

    private RecordText() {}

    static String write(Record record) {
        StringJoiner words = new StringJoiner(" ");
        write("", record, words);
        return words.toString();
    }

    private static void write(String prefix, Record record, StringJoiner words) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = valueOf(component, record);
            String name = prefix + component.getName();
            if (value instanceof Record inner) {
                write(name + ".", inner, words);
            } else {
                words.add(name + "=" + value);
            }
        }
    }

    private static Object valueOf(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /**
     * The record of a line.
     *
     * @throws IllegalArgumentException if the line does not have exactly the record's components
     */
    static <R extends Record> R read(String line, Class<R> type) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals < 0 || values.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("'" + word + "' is no name with a value of its own");
            }
        }
        R record = read("", values, type);
        if (!values.isEmpty()) {
            throw new IllegalArgumentException(type.getSimpleName() + " has no " + values.keySet());
        }
        return record;
    }

    private static <R extends Record> R read(String prefix, Map<String, String> values, Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = prefix + components[i].getName();
            Class<?> of = components[i].getType();
            arguments[i] = of.isRecord()
                    ? read(name + ".", values, of.asSubclass(Record.class))
                    : parse(name, values.remove(name), of);
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type.getSimpleName(), e);
        }
    }

    private static Object parse(String name, @Nullable String text, Class<?> type) {
        if (text == null) {
            throw new IllegalArgumentException("no value of " + name);
        }
        if (type == long.class) {
            return Long.parseLong(text);
        }
        if (type == int.class) {
            return Integer.parseInt(text);
        }
        if (type == double.class) {
            return Double.parseDouble(text);
        }
        throw new IllegalStateException(name + " is no number but a " + type);
    }
}
