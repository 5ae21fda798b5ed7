package dev.besom.guard.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name of SQL. Names become part of statements, so nothing but names is taken: plain ones, which databases do not tell
 * apart by case, and names in double quotes, which are what they are: reserved words, blanks, any case. A double quote
 * within quotes is written twice.
 *
 * @param text without quotes
 * @param isQuoted whether it was in quotes
 */
record SqlName(String text, boolean isQuoted) {

    private static final Pattern NAME = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)|\"((?:[^\"\\x00]|\"\")+)\"");

    /** Reads one name. */
    static SqlName parse(String name) {
        List<SqlName> parts = parseAll(name);
        if (parts.size() != 1) {
            throw refusal(name);
        }
        return parts.get(0);
    }

    /** Reads names with dots between them. */
    static List<SqlName> parseAll(String names) {
        List<SqlName> parts = new ArrayList<>();
        Matcher matcher = NAME.matcher(names);
        int at = 0;
        while (matcher.find(at) && matcher.start() == at) {
            String plain = matcher.group(1);
            parts.add(plain != null ? new SqlName(plain, false) : new SqlName(unquoted(matcher.group(2)), true));
            at = matcher.end();
            if (at == names.length()) {
                return parts;
            }
            if (names.charAt(at) != '.') {
                break;
            }
            at++;
        }
        throw refusal(names);
    }

    private static String unquoted(String quoted) {
        return quoted.replace("\"\"", "\"");
    }

    private static IllegalArgumentException refusal(String name) {
        return new IllegalArgumentException(
                "not a plain SQL name, nor one in double quotes: '" + name.replace("\0", "\\0") + "'");
    }

    /** The name as a part of a statement. */
    String in(JdbcDialect dialect) {
        return isQuoted ? dialect.quoted(text) : text;
    }
}
