package dev.besom.cli;

import dev.besom.LongApproximateMap;
import dev.besom.MembershipFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.cli.keys.KeyReader;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.ScoredKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Looks keys up in a filter file, batch by batch, with the hasher that the file names. */
@Command(
        name = "query",
        description =
                "Look keys up in a filter file. Prints a line for each key: \"maybe\" or \"no\", a tab and the key."
                        + " The exit code does not depend on the answers. Of a filter with values, a tab and the value follow a"
                        + " key that has one.",
        footer = {
            "",
            "Examples:",
            "  besom query words.besom words.txt",
            "  echo besom | besom query words.besom -",
            "  besom query --only no words.besom text.txt   # certainly not there"
        })
final class QueryCommand extends BesomCommand {

    private static final byte[] MAYBE = "maybe\t".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO = "no\t".getBytes(StandardCharsets.US_ASCII);

    /** What a filter says of a key. */
    enum Answer {
        MAYBE,
        NO;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Reads the name on the command line. */
        static final class Converter implements ITypeConverter<Answer> {
            @Override
            public Answer convert(String text) {
                for (Answer answer : values()) {
                    if (answer.label().equals(text)) {
                        return answer;
                    }
                }
                throw new TypeConversionException("must be maybe or no, not '" + text + "'");
            }
        }
    }

    @Mixin
    private LayoutOptions layouts = new LayoutOptions();

    @Mixin
    private ScoreOptions scores = new ScoreOptions();

    @Option(names = "--count", description = "Print only how many keys there were and how many got each answer.")
    private boolean countOnly;

    @Option(
            names = "--only",
            paramLabel = "ANSWER",
            converter = Answer.Converter.class,
            description = "Print only the keys with that answer, maybe or no, and nothing beside them.")
    private @Nullable Answer only;

    @Option(names = "--answers", description = "With --json: list the keys and their answers too.")
    private boolean listAnswers;

    @Parameters(index = "0", paramLabel = "FILE", description = "The filter file, or the folder of a sharded filter.")
    private String file = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEYS",
            description = "Files of keys; - is standard input.")
    private List<String> keyFiles = List.of();

    private long asked;
    private long maybe;

    @Override
    void run() throws IOException {
        if (listAnswers && !wantsJson()) {
            throw new InputException("--answers: goes with --json only");
        }
        if (countOnly && (only != null || listAnswers)) {
            throw new InputException("--count: does not go with --only or --answers");
        }
        if (only != null && wantsJson() && !listAnswers) {
            throw new InputException("--only: with --json it goes with --answers only");
        }
        FilterFiles.Queried read = FilterFiles.readToQuery(file);
        KeyHashing hashing = KeyHashing.of(read.hasher(), file);
        KeyLayout layout = layouts.of(hashing, file);
        KeyFiles keys = new KeyFiles(keyFiles, console());
        if (scores.areGiven()) {
            try (ScoreLines lines = scores.open(keys, layout, hashing)) {
                answer(new Asked(read.filter(), scored(read.filter(), lines)), keys, layout, hashing);
                lines.requireEnd();
            }
        } else {
            answer(new Asked(read.filter(), read.filter()::mightContainHashes), keys, layout, hashing);
        }
    }

    private void answer(Asked filter, KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        if (wantsJson()) {
            answerInJson(filter, keys, layout, hashing);
        } else {
            answerInText(filter, keys, layout, hashing);
        }
    }

    /** A filter, and how it is asked. */
    private record Asked(MembershipFilter filter, Batches batches) {}

    /** Answers a batch of hashes, a bit each. */
    @FunctionalInterface
    private interface Batches {
        void mightContainHashes(long[] hashes, int from, int count, long[] result) throws IOException;
    }

    /** The answers of a filter that was made for the scores of a model. */
    private Batches scored(MembershipFilter filter, ScoreLines lines) {
        if (!(filter instanceof ClassifiedFilter classified)) {
            throw new InputException(file + ": was not made for scores");
        }
        ScoredKeys.Model<Double> model = scores.model(0);
        try {
            model.requireFilter(classified);
        } catch (IllegalArgumentException e) {
            throw new InputException(scores.option() + ": " + e.getMessage(), e);
        }
        return (hashes, from, count, result) -> {
            Arrays.fill(result, 0, (count + Long.SIZE - 1) / Long.SIZE, 0);
            for (int i = 0; i < count; i++) {
                boolean isMaybe = classified.mightContainHash(hashes[from + i], model.classOf(lines.next()));
                result[i >>> 6] |= isMaybe ? 1L << i : 0;
            }
        };
    }

    private void answerInText(Asked filter, KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        OutputStream out = console().output();
        ask(filter, keys, layout, hashing, (reader, index, answer, value) -> {
            if (only == null) {
                out.write(answer == Answer.MAYBE ? MAYBE : NO);
            }
            reader.writeKey(index, out);
            if (value != LongApproximateMap.ABSENT) {
                out.write(("\t" + value).getBytes(StandardCharsets.US_ASCII));
            }
            out.write('\n');
        });
        if (countOnly) {
            FilterReport.line(console(), "asked", Numbers.whole(asked));
            FilterReport.line(console(), "maybe", Numbers.whole(maybe));
            FilterReport.line(console(), "no", Numbers.whole(asked - maybe));
        }
    }

    /** The totals come last, when they are known; nothing is printed before all keys have proved to be readable. */
    private void answerInJson(Asked filter, KeyFiles keys, KeyLayout layout, KeyHashing hashing) throws IOException {
        try (SpooledOutput document = new SpooledOutput()) {
            JsonWriter json = new JsonWriter(document);
            json.beginObject().field("file", file);
            if (listAnswers) {
                json.name("answers").beginArray();
            }
            ask(filter, keys, layout, hashing, (reader, index, answer, value) -> {
                json.beginObject().name("key").value(reader.key(index));
                json.field("answer", answer.label());
                if (value != LongApproximateMap.ABSENT) {
                    json.field("value", value);
                }
                json.endObject();
            });
            if (listAnswers) {
                json.endArray();
            }
            json.field("asked", asked)
                    .field("maybe", maybe)
                    .field("no", asked - maybe)
                    .endObject()
                    .end();
            document.writeTo(console().output());
        }
    }

    /** Takes the answer for a key of the batch, and its value if it has one. */
    private interface AnswerConsumer {
        void accept(KeyReader reader, int index, Answer answer, long value) throws IOException;
    }

    private void ask(Asked asking, KeyFiles keys, KeyLayout layout, KeyHashing hashing, AnswerConsumer consumer)
            throws IOException {
        boolean listing = wantsJson() ? listAnswers : !countOnly;
        long[] answers = Bitmaps.allocate(KeyReader.BATCH_SIZE);
        try (Progress progress = new Progress(console(), "asking", -1)) {
            keys.forEachBatch(layout, hashing, (reader, count) -> {
                asking.batches().mightContainHashes(reader.hashes(), 0, count, answers);
                for (int i = 0; i < count; i++) {
                    Answer answer = Bitmaps.get(answers, i) ? Answer.MAYBE : Answer.NO;
                    maybe += answer == Answer.MAYBE ? 1 : 0;
                    if (listing && (only == null || only == answer)) {
                        consumer.accept(reader, i, answer, valueOf(asking.filter(), reader.hashes()[i]));
                    }
                }
                asked += count;
                console().output().flush();
                progress.step(count);
            });
        }
    }

    private static long valueOf(MembershipFilter filter, long hash) {
        return filter instanceof LongApproximateMap map ? map.valueOfHash(hash) : LongApproximateMap.ABSENT;
    }
}
