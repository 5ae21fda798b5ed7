package dev.besom.distribution;

/**
 * Keys that are alike in how often they are put in and asked for.
 *
 * @param insertProbability the chance that one insert is of one given key of the class; p in the papers
 * @param queryProbability the chance that one question is for one given key of the class; q in the papers
 * @param insertShare the part of all inserts that are of keys of the class: the sum of p over its keys
 * @param queryShare the part of all questions that are for keys of the class: the sum of q over its keys
 */
public record KeyClass(double insertProbability, double queryProbability, double insertShare, double queryShare) {

    public KeyClass {
        check("insert probability", insertProbability);
        check("query probability", queryProbability);
        check("insert share", insertShare);
        check("query share", queryShare);
    }

    private static void check(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("the " + what + " of a class must be from 0 to 1, not " + value);
        }
    }

    /** The same probabilities with other shares. */
    public KeyClass withShares(double newInsertShare, double newQueryShare) {
        return new KeyClass(insertProbability, queryProbability, newInsertShare, newQueryShare);
    }
}
