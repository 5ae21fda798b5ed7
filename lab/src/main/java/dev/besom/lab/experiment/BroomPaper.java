package dev.besom.lab.experiment;

/** What the experiments on the broom filter share. */
final class BroomPaper {

    static final String CITATION = "M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh:"
            + " Bloom filters, adaptivity, and the dictionary problem, FOCS 2018";

    static final double FPP = 1 / 256.0;

    private BroomPaper() {}
}
