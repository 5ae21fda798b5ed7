package dev.besom.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Short names that papers use, each explained where it comes up first. */
final class Terms {

    private static final Map<Pattern, String> MEANINGS = new LinkedHashMap<>();

    static {
        explain("RSQF", "RSQF: the telescoping paper's quotient filter by rank and select, here quotient");
        explain("TAF", "TAF: its telescoping filter, here telescoping-compact");
        explain("uTAF", "uTAF: the same with a whole byte for each selector, here telescoping-plain");
        explain("exAF", "exAF: its filter that lengthens fingerprints, here extension");
        explain(
                "(?:16|32|64|128)I",
                "16I, 32I, 64I, 128I: TinySet with blocks that are planned for so many items each");
        explain("(?:32|64)B", "32B, 64B: TinySet with blocks of so many bytes");
        explain("LB", "LB: the least space that any filter takes for the distribution");
        explain("A/S", "A/S: different keys that are asked for and not stored, for each stored key");
    }

    private final Map<String, Boolean> told = new TreeMap<>();

    private static void explain(String term, String meaning) {
        MEANINGS.put(Pattern.compile("(?<![A-Za-z0-9])" + term + "(?![A-Za-z0-9])"), meaning);
    }

    /** What to explain of a text: those of its short names that came up nowhere before. */
    List<String> newIn(String text) {
        List<String> meanings = new ArrayList<>();
        MEANINGS.forEach((term, meaning) -> {
            if (term.matcher(text).find() && told.putIfAbsent(meaning, true) == null) {
                meanings.add(meaning);
            }
        });
        return meanings;
    }
}
