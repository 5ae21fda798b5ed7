package dev.besom.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A strict reader of JSON, apart from the writer under test: one document, nothing after it but a line's end. */
final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The document's object. */
    static Map<String, Object> parse(String text) {
        Json json = new Json(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        Object document = json.value();
        if (json.at != json.text.length()) {
            throw json.wrong("nothing more");
        }
        return object(document);
    }

    /** A value as an object. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    /** A value as an array. */
    @SuppressWarnings("unchecked")
    static List<Object> array(@Nullable Object value) {
        return (List<Object>) Objects.requireNonNull(value);
    }

    /** A member that must be a number. */
    static double number(Map<String, Object> object, String name) {
        if (!(object.get(name) instanceof Double number)) {
            throw new AssertionError(name + " is not a number in " + object);
        }
        return number;
    }

    private Object value() {
        char c = text.charAt(at);
        if (c == '{') {
            return members();
        }
        if (c == '[') {
            return elements();
        }
        if (c == '"') {
            return string();
        }
        for (String word : new String[] {"true", "false", "null"}) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word;
            }
        }
        return number();
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!accept('}')) {
            if (!members.isEmpty()) {
                expect(',');
            }
            String name = string();
            expect(':');
            if (members.put(name, value()) != null) {
                throw wrong("another name than " + name);
            }
        }
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (!accept(']')) {
            if (!elements.isEmpty()) {
                expect(',');
            }
            elements.add(value());
        }
        return elements;
    }

    private Double number() {
        Matcher number = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
                .matcher(text)
                .region(at, text.length());
        if (!number.lookingAt()) {
            throw wrong("a value");
        }
        at = number.end();
        return Double.valueOf(number.group());
    }

    private String string() {
        expect('"');
        StringBuilder result = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c < ' ') {
                throw wrong("no control character");
            }
            result.append(c == '\\' ? escaped() : c);
        }
        return result.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            throw wrong("an escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private boolean accept(char c) {
        if (text.charAt(at) != c) {
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

    private AssertionError wrong(String wanted) {
        return new AssertionError("wanted " + wanted + " at " + at + " of: " + text);
    }
}
