package dev.besom.quotient.tags;

import dev.besom.FilterSpec;

/** The option that says what becomes of old repairs where there is no room for new ones. */
public final class ForgetOption {

    /** Its name. */
    public static final String NAME = "forget";

    /** What it means. */
    public static final String MEANING =
            "what happens where repairs have no room: some (default): older ones are given up;"
                    + " never: they take more memory, up to spill, and then new ones are refused";

    private static final double DEFAULT_SPILL = 0.5;
    private static final double DEFAULT_SPILL_IF_NEVER = 8;

    private ForgetOption() {}

    /** Whether no repair is to be given up. */
    public static boolean isNever(FilterSpec spec) {
        String value = spec.option(NAME, "some");
        if (!value.equals("some") && !value.equals("never")) {
            throw new IllegalArgumentException("option forget must be some or never, not '" + value + "'");
        }
        return value.equals("never");
    }

    /** The bits a key for tags beside the table that a specification allows. */
    public static double spill(FilterSpec spec, double most) {
        return spec.option("spill", isNever(spec) ? DEFAULT_SPILL_IF_NEVER : DEFAULT_SPILL, 0, most);
    }
}
