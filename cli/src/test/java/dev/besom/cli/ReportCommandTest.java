package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void aSavedRunIsDrawnAgainAsTheSamePage() throws IOException {
        Path page = folder.resolve("report.html");
        Shell.Result run = Shell.run(
                "report", "--quick", "--experiments", "classic-rate-by-probes", "--seed", 3, "--out", page, "--json");
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        List<Object> experiments = Json.array(Json.parse(run.out()).get("experiments"));
        assertThat(experiments).hasSize(1);
        Map<String, Object> experiment = Json.object(experiments.get(0));
        assertThat(experiment)
                .containsEntry("name", "classic-rate-by-probes")
                .containsEntry("scale", "quick")
                .containsEntry(
                        "command",
                        "besom report --quick --experiments classic-rate-by-probes --seed 3"
                                + " --out classic-rate-by-probes.html");
        assertThat(folder.resolve("report.csv")).content().startsWith("experiment,scale,plot,series,origin,x,y");

        Path saved = Files.writeString(folder.resolve("run.json"), run.out());
        Path again = folder.resolve("again.html");
        Shell.Result drawn = Shell.run("report", "--from", saved, "--out", again);
        assertThat(drawn.code()).isZero();
        assertThat(drawn.out()).contains("classic-rate-by-probes").contains(again.toString());
        assertThat(Files.readString(again)).isEqualTo(Files.readString(page));
    }

    @Test
    void theFlowsOfACaptureAreATrace() throws IOException {
        int packets = 6000;
        ByteBuffer capture = ByteBuffer.allocate(24 + packets * (16 + 24)).order(ByteOrder.LITTLE_ENDIAN);
        capture.putInt(0xA1B2C3D4).putInt(0x00040002).putLong(0).putInt(65_535).putInt(101);
        for (int i = 0; i < packets; i++) {
            capture.putInt(i).putInt(0).putInt(24).putInt(24);
            // IPv4 without options, UDP, the address and the port that make the flow.
            capture.putInt(0x45)
                    .putInt(0)
                    .putInt(17 << 8)
                    .putInt(10)
                    .putInt(i % 50)
                    .putInt(i % 1200);
        }
        Path file = Files.write(folder.resolve("trace.pcap"), capture.array());
        Shell.Result run = Shell.run(
                "report",
                "--experiments",
                "telescoping-figure-3-trace",
                "--queries-file",
                file,
                "--format",
                "pcap",
                "--out",
                folder.resolve("trace.html"),
                "--json");

        assertThat(run.code()).as(run.err()).isZero();
        Map<String, Object> experiment =
                Json.object(Json.array(Json.parse(run.out()).get("experiments")).get(0));
        assertThat(Json.object(experiment.get("parameters")))
                .containsEntry("queries", "6,000")
                .containsEntry("different queries", "1,200")
                .containsEntry("file of queries", "trace.pcap");
        assertThat(experiment.get("command")).asString().contains("trace.pcap --format pcap");
    }

    @Test
    void existingFilesAreKeptUnlessForced() throws IOException {
        Path saved = Files.writeString(folder.resolve("run.json"), "{\"experiments\":[]}");
        Path page = Files.writeString(folder.resolve("a.html"), "mine");
        refused("exists already", "report", "--from", saved, "--out", page);
        assertThat(page).content().isEqualTo("mine");
        Files.delete(page);
        Path csv = Files.writeString(folder.resolve("a.csv"), "mine");
        refused("a.csv", "report", "--from", saved, "--out", page);
        assertThat(csv).content().isEqualTo("mine");
        assertThat(page).doesNotExist();
        assertThat(Shell.run("report", "--from", saved, "--out", page, "--force")
                        .code())
                .isZero();
        assertThat(page).content().contains("id=\"calculator\"");
        assertThat(csv).content().startsWith("experiment,");
    }

    /** The name is as long as names may be, so that the one of the fresh file beside it is too long. */
    @Test
    void anOutputThatCannotBeWrittenIsToldBeforeAnythingElse() {
        Shell.Result result = Shell.run(
                "report", "--from", folder.resolve("absent"), "--out", folder.resolve("x".repeat(250) + ".html"));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.refusal()).contains("cannot write");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theExperimentsAreListed() {
        Shell.Result text = Shell.run("report", "--list");
        assertThat(text.code()).isZero();
        assertThat(text.out()).contains("telescoping-figure-2-active").contains("minutes");
        assertThat(Shell.run("report", "--list", "--wide").out()).contains("Figure 4, right");
        List<Object> listed = Json.array(
                Json.parse(Shell.run("report", "--list", "--json").out()).get("experiments"));
        assertThat(listed).hasSizeGreaterThanOrEqualTo(7);
    }

    /** The first experiment refuses its file, so that the long one after it is not run. */
    @Test
    void whatTakesLongIsSaidBeforeItStarts() throws IOException {
        Path few = Files.writeString(folder.resolve("few"), "1\n2\n");
        Shell.Result result = Shell.run(
                "report",
                "--full",
                "--experiments",
                "telescoping-figure-3-trace,telescoping-figure-4-adversary",
                "--queries-file",
                few,
                "--out",
                folder.resolve("page.html"));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines())
                .hasSize(2)
                .first()
                .asString()
                .matches("besom: this takes about [0-9]+ minutes: telescoping-figure-4-adversary [0-9]+");
    }

    @Test
    void whatIsWrongIsRefusedInOneLineThatNamesIt() throws IOException {
        Path page = folder.resolve("page.html");
        Path noJson = Files.writeString(folder.resolve("no.json"), "nope");
        refused("--from absent: no such file", "report", "--from", "absent");
        assertThat(Shell.run("report", "--help").out()).contains("Default: report.html");
        refused("--experiments: unknown experiment 'nope'", "report", "--experiments", "nope", "--out", page);
        refused("--full", "report", "--quick", "--full", "--out", page);
        refused("--from", "report", "--full", "--from", noJson, "--out", page);
        refused("no.json: not JSON", "report", "--from", noJson, "--out", page);
        refused("no such file", "report", "--from", folder.resolve("absent"), "--out", page);
        refused("--from " + folder + ": is a folder", "report", "--from", folder, "--out", page);
        Path noText = Files.write(folder.resolve("no.txt"), new byte[] {-1});
        refused("no.txt: is not valid UTF-8", "report", "--from", noText, "--out", page);
        refused("--out -", "report", "--out", "-");
        refused("no folder", "report", "--out", folder.resolve("absent").resolve("page.html"));
        refused("is a folder", "report", "--out", folder);
        refused("--queries-file", "report", "--experiments", "telescoping-figure-3-trace", "--out", page);
        refused(
                "absent: no such file",
                "report",
                "--experiments",
                "telescoping-figure-3-trace",
                "--queries-file",
                folder.resolve("absent"),
                "--out",
                page);
        refused(
                "'--format': unknown format 'nope'",
                "report",
                "--experiments",
                "telescoping-figure-3-trace",
                "--queries-file",
                noJson,
                "--format",
                "nope",
                "--out",
                page);
        refused(
                "too few",
                "report",
                "--experiments",
                "telescoping-figure-3-trace",
                "--queries-file",
                noJson,
                "--out",
                page);
        assertThat(page).doesNotExist();
    }

    private static void refused(String culprit, Object... arguments) {
        Shell.Result result = Shell.run(arguments);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains(culprit);
    }
}
