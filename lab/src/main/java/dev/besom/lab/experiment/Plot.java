package dev.besom.lab.experiment;

import java.util.List;

/**
 * A plot of several series over the same axes.
 *
 * @param title what it shows, where an experiment has several plots
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series the lines and points
 * @param marks places on the horizontal axis that the paper or theory singles out
 */
public record Plot(String title, Axis x, Axis y, List<Series> series, List<Mark> marks) {

    public Plot {
        series = List.copyOf(series);
        marks = List.copyOf(marks);
    }

    public Plot(String title, Axis x, Axis y, List<Series> series) {
        this(title, x, y, series, List.of());
    }

    /**
     * An axis.
     *
     * @param label what it shows, with the unit
     * @param logarithmic whether its scale is; values that are not above 0 are then left out
     */
    public record Axis(String label, boolean logarithmic) {

        public static Axis linear(String label) {
            return new Axis(label, false);
        }

        public static Axis logarithmic(String label) {
            return new Axis(label, true);
        }
    }

    /**
     * A vertical line.
     *
     * @param x where it stands
     * @param label what is said of that place, and by whom
     */
    public record Mark(double x, String label) {}
}
