package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws specs with options that a kind declares. What an option may be follows from what the kind says of it: the numbers in
 * that text, the ends of a range "from A to B" and numbers between them, and its words. So any kind can be drawn from, and an
 * option that is declared is an option that is tried.
 *
 * <p>Many draws are no filter at all. A kind refuses them with an {@link IllegalArgumentException}, which is a promise too.
 */
public final class OptionDraws {

    private static final Pattern RANGE = Pattern.compile("(\\d+(?:\\.\\d+)?) to (\\d+(?:\\.\\d+)?)");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+(?:\\.\\d+)?(?![\\w.]*\\d)");
    private static final Pattern WORD = Pattern.compile("[a-zA-Z0-9][\\w-]*");
    /** What is tried for an option of which no number is said. */
    private static final List<String> USUAL = List.of("1", "2", "10", "100", "4096", "0.01", "0.3");

    private static final double[] RATES = {0.3, 0.05, 0.004};

    private final Kind kind;
    private final SplittableRandom random;

    /** Draws from the options of a kind. */
    public OptionDraws(Kind kind, long seed) {
        this.kind = kind;
        this.random = new SplittableRandom(Seeds.of(seed, kind.name().hashCode(), 0, 0, 0));
    }

    /** A spec of a capacity with one or more of the kind's options. */
    public FilterSpec next(long capacity) {
        FilterSpec spec =
                FilterSpec.of(capacity, RATES[random.nextInt(RATES.length)]).withSeed(random.nextInt(100));
        List<Map.Entry<String, String>> options = new ArrayList<>(kind.options().entrySet());
        int first = random.nextInt(options.size());
        for (int i = 0; i < options.size(); i++) {
            Map.Entry<String, String> option = options.get(i);
            if (i == first || random.nextInt(3) == 0) {
                spec = spec.with(option.getKey(), value(option.getValue()));
            }
        }
        return spec;
    }

    private String value(String meaning) {
        List<String> numbers = allOf(NUMBER, meaning);
        Matcher range = RANGE.matcher(meaning);
        while (range.find()) {
            double least = Double.parseDouble(range.group(1));
            double most = Double.parseDouble(range.group(2));
            numbers.add(range.group(1));
            numbers.add(range.group(2));
            for (int i = 0; i < 3; i++) {
                double between = least + random.nextDouble() * (most - least);
                numbers.add(
                        range.group().contains(".") ? Double.toString(between) : Long.toString(Math.round(between)));
            }
        }
        List<String> words = allOf(WORD, meaning);
        boolean isNumber = !numbers.isEmpty();
        if (!isNumber) {
            numbers.addAll(USUAL);
        }
        List<String> values = random.nextInt(4) > 0 == isNumber ? numbers : words;
        return values.get(random.nextInt(values.size()));
    }

    private static List<String> allOf(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
