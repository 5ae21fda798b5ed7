package dev.besom.quotient;

/** A check within a model test that costs next to nothing where it holds: such tests take very many steps. */
final class ModelStep {

    private ModelStep() {}

    static void require(boolean holds, String fault, long step, long seed) {
        if (!holds) {
            throw new AssertionError("step " + step + " of seed " + seed + ": " + fault);
        }
    }
}
