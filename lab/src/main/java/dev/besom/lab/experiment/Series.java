package dev.besom.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * Points that belong together.
 *
 * @param name what they are of, such as a kind
 * @param origin where they come from
 * @param points in the order in which a line goes through them
 */
public record Series(String name, Origin origin, List<Point> points) {

    public Series {
        points = List.copyOf(points);
    }

    /** Where points come from. */
    public enum Origin {
        /** Measured in this run. */
        OURS,
        /** Printed in the paper. */
        PAPER,
        /** Computed from a formula. */
        THEORY;

        /** The name in files. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A point; {@code y} is not a number where nothing could be measured. */
    public record Point(double x, double y) {}

    /** A formula drawn through the given places. */
    public static Series theory(String name, double[] xs, DoubleUnaryOperator formula) {
        List<Point> points = new ArrayList<>();
        for (double x : xs) {
            points.add(new Point(x, formula.applyAsDouble(x)));
        }
        return new Series(name, Origin.THEORY, points);
    }

    /** What the paper printed: x and y in turn. */
    public static Series paper(String name, double... xAndY) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < xAndY.length; i += 2) {
            points.add(new Point(xAndY[i], xAndY[i + 1]));
        }
        return new Series(name, Origin.PAPER, points);
    }

    /** What was measured. */
    public static Series ours(String name, List<Point> points) {
        return new Series(name, Origin.OURS, points);
    }
}
