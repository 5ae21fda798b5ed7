package dev.besom.lab.experiment;

import dev.besom.lab.race.Machine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/** The experiments by name, and how they are run. */
public final class Experiments {

    /** One line an experiment, in the order of the report. */
    private static final List<Experiment> ALL = List.of(
            TelescopingFigure2.activeSet(),
            TelescopingFigure2.powerLaw(),
            TelescopingFigure2.standIn(),
            TelescopingFigure2.trace(),
            new TelescopingFigure4(),
            new TelescopingFigure5(),
            new TelescopingSelectors(),
            new RivalsBySkew(),
            TinySetTable.one(),
            TinySetSpaceFigure.ten(),
            new TinySetFigure11(),
            new TinySetTable2(),
            TinySetTable.three(),
            TinySetTable.four(),
            TinySetSpaceFigure.twelve(),
            TinySetTable.five(),
            TinySetTable.six(),
            TinySetSpaceFigure.thirteen(),
            new TinySetFigure14(),
            new TinySetFigure15(),
            new ClassicRateByKeys(),
            new ClassicRateByProbes(),
            new DaisySpaceBySkew(),
            new DaisyRateByError(),
            new DaisyRateOverSets(),
            new DaisyWordsTouched(),
            new BroomSustainedRate(),
            new BroomWordsTouched());

    private static final double NANOS_A_SECOND = 1e9;

    private Experiments() {}

    /** Every experiment that this version has. */
    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * The experiments of those names, each once.
     *
     * @throws IllegalArgumentException if a name is unknown; the message lists those there are
     */
    public static List<Experiment> find(List<String> names) {
        List<Experiment> found = new ArrayList<>();
        for (String name : new LinkedHashSet<>(names)) {
            found.add(ALL.stream()
                    .filter(experiment -> experiment.description().name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown experiment '" + name + "'; known: "
                            + ALL.stream()
                                    .map(experiment -> experiment.description().name())
                                    .collect(Collectors.joining(", ")))));
        }
        return found;
    }

    /** The same result with the description that its experiment has now; results that were saved have that of their time. */
    public static ExperimentResult described(ExperimentResult result) {
        return ALL.stream()
                .map(Experiment::description)
                .filter(description ->
                        description.name().equals(result.description().name()))
                .findFirst()
                .map(description -> new ExperimentResult(description, result.provenance(), result.findings()))
                .orElse(result);
    }

    /**
     * Runs an experiment.
     *
     * @throws IllegalArgumentException if something that it needs is missing, or the user's file is wrong
     * @throws java.io.UncheckedIOException if a file cannot be read
     */
    public static ExperimentResult run(Experiment experiment, Conditions conditions) {
        Description description = experiment.description();
        experiment.missing(conditions).ifPresent(missing -> {
            throw new IllegalArgumentException("experiment " + description.name() + " needs " + missing);
        });
        long start = System.nanoTime();
        Findings findings = experiment.run(conditions);
        return new ExperimentResult(
                description,
                new ExperimentResult.Provenance(
                        conditions.scale(),
                        conditions.seed(),
                        conditions.command(description.name()),
                        Machine.description(),
                        (System.nanoTime() - start) / NANOS_A_SECOND),
                findings);
    }
}
