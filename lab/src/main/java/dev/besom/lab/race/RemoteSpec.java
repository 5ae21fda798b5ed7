package dev.besom.lab.race;

import dev.besom.lab.workload.KeySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A race as words for another JVM, {@code name=value} each. The keys of its sources are spooled ones. */
final class RemoteSpec {

    private static final String OPTION_PREFIX = "option:";

    private RemoteSpec() {}

    /** The words for one of the kinds alone. */
    static List<String> words(RaceSpec spec, String kind) {
        List<String> words = new ArrayList<>(List.of(
                "kind=" + kind,
                "n=" + spec.n(),
                "fpp=" + spec.fpp(),
                "load=" + spec.load(),
                "workload=" + spec.workload(),
                "queries=" + spec.queries(),
                "hits=" + spec.hits(),
                "seed=" + spec.seed(),
                "repeat=" + spec.timing().repeat(),
                "aged=" + spec.timing().aged(),
                "of-texts=" + spec.timing().ofTexts(),
                "equal-memory=" + spec.equalMemory()));
        add(words, "key-source", spec.keySource());
        add(words, "query-source", spec.querySource());
        add(words, "sample-keys", spec.samples().keys());
        add(words, "sample-queries", spec.samples().queries());
        spec.options().forEach((name, value) -> words.add(OPTION_PREFIX + name + "=" + value));
        return words;
    }

    private static void add(List<String> words, String name, Optional<KeySource> source) {
        source.ifPresent(keys -> {
            if (!(keys instanceof SpooledKeys spooled)) {
                throw new IllegalStateException("the keys of " + keys.name() + " are not spooled");
            }
            words.add(name + "=" + spooled.path());
        });
    }

    /** The race of such words. */
    static RaceSpec parse(List<String> words) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> options = new TreeMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            String name = word.substring(0, equals);
            String value = word.substring(equals + 1);
            if (name.startsWith(OPTION_PREFIX)) {
                options.put(name.substring(OPTION_PREFIX.length()), value);
            } else {
                values.put(name, value);
            }
        }
        RaceSpec.Builder builder = RaceSpec.of(value(values, "kind"))
                .n(Integer.parseInt(value(values, "n")))
                .fpp(Double.parseDouble(value(values, "fpp")))
                .load(Double.parseDouble(value(values, "load")))
                .workload(value(values, "workload"))
                .queries(Long.parseLong(value(values, "queries")))
                .hits(Double.parseDouble(value(values, "hits")))
                .seed(Long.parseLong(value(values, "seed")))
                .options(options)
                .timing(new Timing(
                        Integer.parseInt(value(values, "repeat")),
                        false,
                        Boolean.parseBoolean(value(values, "aged")),
                        Boolean.parseBoolean(value(values, "of-texts"))))
                .samples(new Samples(source(values, "sample-keys"), source(values, "sample-queries")))
                .equalMemory(Boolean.parseBoolean(value(values, "equal-memory")));
        source(values, "key-source").ifPresent(builder::keys);
        source(values, "query-source").ifPresent(builder::queries);
        return builder.toSpec();
    }

    private static Optional<KeySource> source(Map<String, String> values, String name) {
        return Optional.ofNullable(values.get(name)).map(path -> new SpooledKeys(Path.of(path)));
    }

    private static String value(Map<String, String> values, String name) {
        @Nullable String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no word says what " + name + " is");
        }
        return value;
    }
}
