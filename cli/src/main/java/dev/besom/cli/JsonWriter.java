package dev.besom.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON document as it is told, member by member, so that a document of any length needs no memory. Numbers
 * that JSON has no words for (NaN, the infinities) become null. Commas are the writer's matter; that objects and arrays
 * are closed in turn is the caller's.
 *
 * <pre>{@code
 * json.beginObject().field("kind", "bloom").name("rates").beginArray().value(0.01).endArray().endObject().end();
 * }</pre>
 */
final class JsonWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;

    /** For each open object or array, whether it has a member yet. */
    private final Deque<Boolean> open = new ArrayDeque<>();

    private boolean afterName;

    JsonWriter(OutputStream out) {
        this.out = out;
    }

    JsonWriter beginObject() throws IOException {
        return begin('{');
    }

    JsonWriter endObject() throws IOException {
        return close('}');
    }

    JsonWriter beginArray() throws IOException {
        return begin('[');
    }

    JsonWriter endArray() throws IOException {
        return close(']');
    }

    JsonWriter name(String name) throws IOException {
        separate();
        string(name);
        out.write(':');
        afterName = true;
        return this;
    }

    JsonWriter value(String text) throws IOException {
        separate();
        string(text);
        return this;
    }

    JsonWriter value(long number) throws IOException {
        return raw(Long.toString(number));
    }

    JsonWriter value(double number) throws IOException {
        return raw(Double.isFinite(number) ? Double.toString(number) : "null");
    }

    JsonWriter value(boolean truth) throws IOException {
        return raw(Boolean.toString(truth));
    }

    /** A text, number, truth value, map or collection of such, or null. */
    JsonWriter value(@Nullable Object thing) throws IOException {
        if (thing == null) {
            return nullValue();
        } else if (thing instanceof Boolean truth) {
            return value(truth.booleanValue());
        } else if (thing instanceof Double || thing instanceof Float) {
            return value(((Number) thing).doubleValue());
        } else if (thing instanceof Number number) {
            return value(number.longValue());
        } else if (thing instanceof Map<?, ?> map) {
            beginObject();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                name(String.valueOf(member.getKey())).value(member.getValue());
            }
            return endObject();
        } else if (thing instanceof Iterable<?> things) {
            beginArray();
            for (Object element : things) {
                value(element);
            }
            return endArray();
        }
        return value(thing.toString());
    }

    JsonWriter nullValue() throws IOException {
        return raw("null");
    }

    JsonWriter field(String name, String text) throws IOException {
        return name(name).value(text);
    }

    JsonWriter field(String name, long number) throws IOException {
        return name(name).value(number);
    }

    JsonWriter field(String name, double number) throws IOException {
        return name(name).value(number);
    }

    JsonWriter field(String name, boolean truth) throws IOException {
        return name(name).value(truth);
    }

    /** Ends the document's line. */
    void end() throws IOException {
        if (!open.isEmpty()) {
            throw new IllegalStateException(open.size() + " objects or arrays are still open");
        }
        out.write('\n');
    }

    private JsonWriter begin(char bracket) throws IOException {
        separate();
        out.write(bracket);
        open.push(false);
        return this;
    }

    private JsonWriter close(char bracket) throws IOException {
        open.pop();
        out.write(bracket);
        return this;
    }

    private JsonWriter raw(String text) throws IOException {
        separate();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    private void separate() throws IOException {
        if (afterName) {
            afterName = false;
        } else if (!open.isEmpty()) {
            if (open.pop()) {
                out.write(',');
            }
            open.push(true);
        }
    }

    /** Lone surrogates, which UTF-8 cannot hold, are escaped like control characters. */
    private void string(String text) throws IOException {
        out.write('"');
        int plainFrom = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (c >= ' ' && c != '"' && c != '\\' && c != 0x7F && !Character.isSurrogate(c)) {
                continue;
            }
            out.write(text.substring(plainFrom, i).getBytes(StandardCharsets.UTF_8));
            escape(c);
            plainFrom = i + 1;
        }
        out.write(text.substring(plainFrom).getBytes(StandardCharsets.UTF_8));
        out.write('"');
    }

    private void escape(char c) throws IOException {
        out.write('\\');
        switch (c) {
            case '"', '\\' -> out.write(c);
            case '\n' -> out.write('n');
            case '\r' -> out.write('r');
            case '\t' -> out.write('t');
            default -> {
                out.write('u');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.write(HEX[c >>> shift & 0xF]);
                }
            }
        }
    }
}
