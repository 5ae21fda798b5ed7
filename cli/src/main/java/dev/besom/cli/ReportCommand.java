package dev.besom.cli;

import dev.besom.cli.keys.KeyFile;
import dev.besom.cli.keys.KeyFormat;
import dev.besom.lab.experiment.Conditions;
import dev.besom.lab.experiment.Description;
import dev.besom.lab.experiment.Experiment;
import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Experiments;
import dev.besom.lab.experiment.ResultJson;
import dev.besom.lab.experiment.Scale;
import dev.besom.lab.report.ReportPage;
import dev.besom.lab.report.ResultCsv;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the papers' experiments and writes a page about them. */
@Command(
        name = "report",
        description = {
            "Run the papers' experiments and write one page of HTML with plots, tables and a calculator of sizes, and"
                    + " all points as CSV beside it. The page needs no network."
        },
        footer = {
            "",
            "besom report --list shows the experiments, with the minutes that --full takes. A page holds its data: it is drawn"
                    + " again by --from, without being run, and so is what --json printed.",
            "",
            "Examples:",
            "  besom report --quick --out report.html",
            "  besom report --experiments telescoping-figure-3-trace \\",
            "               --queries-file trace.pcap --format pcap --out trace.html"
        })
final class ReportCommand extends BesomCommand {

    private static final String PAGE_ENDING = ".html";
    private static final int WORTH_A_WARNING_MINUTES = 5;

    @Option(names = "--quick", description = "All experiments in a few minutes. This is the default.")
    private boolean quick;

    @Option(names = "--full", description = "As large as in the papers; takes far longer.")
    private boolean full;

    @Option(
            names = "--experiments",
            split = ",",
            paramLabel = "E",
            description = "Only these, with commas between. Default: all that can be run.")
    private @Nullable List<String> names;

    @Option(names = "--list", description = "List the experiments and run none.")
    private boolean list;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "What keys, queries and filters are drawn from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--queries-file",
            paramLabel = "FILE",
            description = "Queries of your own, for the experiments that take some.")
    private @Nullable Path queriesFile;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            converter = KeyFormatConverter.class,
            description = "How they stand in the file: lines, long-text, long-le, or pcap (the addresses, ports and"
                    + " protocol of each captured packet). Default: ${DEFAULT-VALUE}.")
    private KeyFormat format = KeyFormat.LINES;

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "FILE",
            description =
                    "Run nothing: draw results that --json printed, or those of another page, which ends in"
                            + " .html. Several files with commas between; of an experiment that is in several, the last counts.")
    private @Nullable List<String> saved;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            defaultValue = "report.html",
            description = "Where the page goes. The CSV goes to the same name with the ending .csv."
                    + " Default: ${DEFAULT-VALUE}.")
    private String out = "";

    @Option(names = "--force", description = "Replace FILE and its CSV if they exist.")
    private boolean force;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    @Mixin
    private ColumnOptions.LogOptions log = new ColumnOptions.LogOptions();

    @Mixin
    private Width width = new Width();

    @Override
    void run() throws IOException {
        if (list) {
            listExperiments();
            return;
        }
        if (quick && full) {
            throw refuse("--quick and --full do not go together");
        }
        if (saved != null && (quick || full || names != null || queriesFile != null)) {
            throw refuse("--from runs nothing, so it takes none of --quick, --full, --experiments, --queries-file");
        }
        OutputFile page = OutputFile.check("--out", out, force);
        OutputFile csv = OutputFile.check("--out", csvName(out), force);
        List<ExperimentResult> results = saved != null ? read(saved) : ofLab(this::runExperiments);
        page.write(ReportPage.render(results));
        csv.write(ResultCsv.write(results));
        if (wantsJson()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("page", out);
            document.put("csv", csvName(out));
            document.putAll(ResultJson.document(results));
            json().value(document).end();
        } else {
            print(results, page);
        }
    }

    private static String csvName(String page) {
        return (page.endsWith(PAGE_ENDING) ? page.substring(0, page.length() - PAGE_ENDING.length()) : page) + ".csv";
    }

    private void listExperiments() throws IOException {
        if (wantsJson()) {
            JsonWriter json = json().beginObject().name("experiments").beginArray();
            for (Experiment experiment : Experiments.all()) {
                json.beginObject()
                        .field("name", experiment.description().name())
                        .field("title", experiment.description().title())
                        .field("figure", experiment.description().figure())
                        .field("paper", experiment.description().paper())
                        .field("fullMinutes", (long) experiment.minutes(Scale.FULL))
                        .endObject();
            }
            json.endArray().endObject().end();
            return;
        }
        Table table = width.isWide()
                ? new Table("name", ">full, minutes", "title", "figure", "paper")
                : new Table("name", ">minutes", "title");
        for (Experiment experiment : Experiments.all()) {
            Description description = experiment.description();
            int minutes = experiment.minutes(Scale.FULL);
            String full = minutes == 0 ? "-" : Integer.toString(minutes);
            if (width.isWide()) {
                table.row(description.name(), full, description.title(), description.figure(), description.paper());
            } else {
                table.row(description.name(), full, description.title());
            }
        }
        width.print(table, console());
    }

    private List<ExperimentResult> runExperiments() {
        Conditions conditions = new Conditions(
                full ? Scale.FULL : Scale.QUICK,
                seed,
                Optional.ofNullable(queriesFile).map(file -> new KeyFile(file, columns.queries(format, log), seed)),
                step -> {});
        List<Experiment> chosen = chosen(conditions);
        warn(chosen, conditions.scale());
        List<ExperimentResult> results = new ArrayList<>();
        try (Progress progress = new Progress(console(), "report", chosen.size())) {
            Conditions watched = conditions.watched(step -> progress.step(0, step));
            for (Experiment experiment : chosen) {
                results.add(Experiments.run(experiment, watched));
                progress.step(1);
            }
        }
        return results;
    }

    /** Says how long it will take where that is long. */
    private void warn(List<Experiment> chosen, Scale scale) {
        int minutes = chosen.stream()
                .mapToInt(experiment -> experiment.minutes(scale))
                .sum();
        if (minutes < WORTH_A_WARNING_MINUTES) {
            return;
        }
        String longest = chosen.stream()
                .filter(experiment -> experiment.minutes(scale) > 0)
                .map(experiment -> experiment.description().name() + " " + experiment.minutes(scale))
                .collect(Collectors.joining(", "));
        console().complain("this takes about " + minutes + " minutes: " + longest);
    }

    /** The experiments asked for; where none were named, those that lack nothing. All are checked before one is run. */
    private List<Experiment> chosen(Conditions conditions) {
        List<String> asked = names;
        if (asked == null) {
            return Experiments.all().stream()
                    .filter(experiment -> experiment.missing(conditions).isEmpty())
                    .toList();
        }
        List<Experiment> found = ofOption("--experiments", () -> Experiments.find(asked));
        for (Experiment experiment : found) {
            experiment.missing(conditions).ifPresent(missing -> {
                throw new IllegalArgumentException(
                        "experiment " + experiment.description().name() + " needs " + missing);
            });
        }
        return found;
    }

    private static List<ExperimentResult> read(List<String> files) throws IOException {
        Map<String, ExperimentResult> results = new LinkedHashMap<>();
        for (String file : files) {
            try {
                String text = text(file);
                List<ExperimentResult> read =
                        file.endsWith(PAGE_ENDING) ? ReportPage.read(text) : ResultJson.read(text);
                read.forEach(result -> results.put(result.description().name(), Experiments.described(result)));
            } catch (IllegalArgumentException e) {
                throw new InputException("--from " + file + ": " + e.getMessage(), e);
            }
        }
        return List.copyOf(results.values());
    }

    private static String text(String file) throws IOException {
        Path path = Paths.of(file);
        check(!Files.isDirectory(path), "--from " + file + ": is a folder, not a file");
        try {
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new InputException("--from " + file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new InputException("--from " + file + ": permission denied", e);
        } catch (CharacterCodingException e) {
            throw new InputException("--from " + file + ": is not valid UTF-8", e);
        } catch (IOException e) {
            throw new IOException("--from " + file + ": " + InputOutput.describe(e), e);
        }
    }

    private void print(List<ExperimentResult> results, OutputFile page) throws IOException {
        Table table = new Table("experiment", "scale", ">seconds", "figure");
        for (ExperimentResult result : results) {
            table.row(
                    result.description().name(),
                    result.provenance().scale().label(),
                    Numbers.fixed(result.provenance().seconds(), 1),
                    result.description().figure());
        }
        table.print(console());
        console().print("");
        console().print("page: " + page.name());
        console().print("csv:  " + csvName(page.name()));
    }
}
