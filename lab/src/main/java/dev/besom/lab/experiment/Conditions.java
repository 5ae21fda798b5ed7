package dev.besom.lab.experiment;

import dev.besom.lab.workload.KeySource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What an experiment is run under.
 *
 * @param scale how large it is
 * @param seed what all keys, queries and filters are drawn from
 * @param queries the user's own queries, for the experiments that take some
 * @param progress told what is going on, in a few words; by any thread, but by one at a time
 */
public record Conditions(Scale scale, long seed, Optional<KeySource> queries, Consumer<String> progress) {

    /** Conditions with no file and nobody who looks on. */
    public static Conditions of(Scale scale, long seed) {
        return new Conditions(scale, seed, Optional.empty(), step -> {});
    }

    /** The same conditions with somebody who looks on. */
    public Conditions watched(Consumer<String> watcher) {
        return new Conditions(scale, seed, queries, watcher);
    }

    /** The one of two parameters that belongs to the scale. */
    public int choose(int quick, int full) {
        return scale == Scale.QUICK ? quick : full;
    }

    /** The one of two lists that belongs to the scale. */
    public double[] choose(double[] quick, double[] full) {
        return scale == Scale.QUICK ? quick : full;
    }

    /** Tells what is going on. */
    public void progress(String step) {
        synchronized (progress) {
            progress.accept(step);
        }
    }

    /** The command that runs one experiment under these conditions. */
    String command(String name) {
        return "besom report --" + scale.label() + " --experiments " + name + " --seed " + seed
                + queries.map(source -> " --queries-file "
                                + source.words().stream()
                                        .map(Conditions::quoted)
                                        .collect(Collectors.joining(" ")))
                        .orElse("")
                + " --out " + name + ".html";
    }

    /** A file name as a shell takes it. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
