package dev.besom.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text from maps, lists, texts, numbers, truth values and null, and back. Numbers come back as {@code Double}; what
 * JSON has no number for (NaN, the infinities) is written as null. The characters that could end a script element of a
 * page are escaped, so that the text can stand in one.
 */
public final class JsonText {

    /** Deeper documents are refused before the reader runs out of stack. */
    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;
    private int depth;

    private JsonText(String text) {
        this.text = text;
    }

    /** The text of a value. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String gap = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(gap);
                writeText(String.valueOf(member.getKey()), out);
                out.append(':');
                write(member.getValue(), out);
                gap = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> elements) {
            out.append('[');
            String gap = "";
            for (Object element : elements) {
                out.append(gap);
                write(element, out);
                gap = ",";
            }
            out.append(']');
        } else if (value instanceof Double number) {
            writeNumber(number, out);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else {
            writeText(value.toString(), out);
        }
    }

    private static void writeNumber(double number, StringBuilder out) {
        if (!Double.isFinite(number)) {
            out.append("null");
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            out.append((long) number);
        } else {
            out.append(number);
        }
    }

    private static void writeText(String value, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /**
     * The value of a text.
     *
     * @throws IllegalArgumentException if it is not one JSON document
     */
    public static @Nullable Object read(String text) {
        JsonText reader = new JsonText(text);
        Object value = reader.value();
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.wrong("the end");
        }
        return value;
    }

    private @Nullable Object value() {
        skipSpace();
        if (at == text.length()) {
            throw wrong("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members() {
        enter();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        while (!accept('}')) {
            if (!members.isEmpty()) {
                expect(',');
            }
            skipSpace();
            String name = string();
            expect(':');
            members.put(name, value());
        }
        depth--;
        return members;
    }

    private List<@Nullable Object> elements() {
        enter();
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        while (!accept(']')) {
            if (!elements.isEmpty()) {
                expect(',');
            }
            elements.add(value());
        }
        depth--;
        return elements;
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw wrong("no deeper nesting");
        }
    }

    private String string() {
        if (!accept('"')) {
            throw wrong("a text");
        }
        StringBuilder result = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return result.toString();
            }
            result.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        int known = "\"\\/bfnrt".indexOf(c);
        if (known >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(known);
        }
        if (c != 'u' || at + 4 > text.length()) {
            throw wrong("an escape");
        }
        try {
            char escaped = (char) Integer.parseInt(text, at, at + 4, 16);
            at += 4;
            return escaped;
        } catch (NumberFormatException e) {
            throw wrong("four hexadecimal digits");
        }
    }

    private Double number() {
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.valueOf(text.substring(start, at));
        } catch (NumberFormatException e) {
            at = start;
            throw wrong("a value");
        }
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private char next() {
        if (at == text.length()) {
            throw wrong("more");
        }
        return text.charAt(at++);
    }

    private boolean accept(char c) {
        skipSpace();
        if (at == text.length() || text.charAt(at) != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("not JSON: wanted " + wanted + " at character " + at);
    }
}
