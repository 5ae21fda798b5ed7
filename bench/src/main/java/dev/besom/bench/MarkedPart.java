package dev.besom.bench;

/**
 * The part of a document that a program writes, between two comments of their own lines.
 *
 * <pre>
 *   &lt;!-- NAME: begin --&gt;
 *   what the program wrote
 *   &lt;!-- NAME: end --&gt;
 * </pre>
 */
final class MarkedPart {

    private MarkedPart() {}

    /**
     * The document with another content between the marks of that name.
     *
     * @throws IllegalArgumentException if the marks are not there, each once and in order
     */
    static String replace(String document, String name, String content) {
        String begin = "<!-- " + name + ": begin -->\n";
        String end = "<!-- " + name + ": end -->\n";
        int from = indexOfOnly(document, begin);
        int to = indexOfOnly(document, end);
        if (to < from) {
            throw new IllegalArgumentException("the mark '" + end.strip() + "' stands before its beginning");
        }
        String body = content.endsWith("\n") ? content : content + "\n";
        return document.substring(0, from + begin.length()) + body + document.substring(to);
    }

    private static int indexOfOnly(String document, String mark) {
        int at = document.indexOf(mark);
        if (at < 0 || document.indexOf(mark, at + 1) >= 0) {
            throw new IllegalArgumentException("the mark '" + mark.strip() + "' must stand in the document once");
        }
        return at;
    }
}
