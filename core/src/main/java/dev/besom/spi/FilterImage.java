package dev.besom.spi;

import dev.besom.MalformedFilterException;
import dev.besom.filters.Filters;
import java.util.List;

/**
 * A filter's state as plain numbers, the form in which the codec and the families speak to each other: a kind, its
 * parameters and its arrays of words. What each number means is the kind's own matter, written down in
 * {@code docs/format.md}.
 *
 * <p>The arrays are shared, not copied: whoever makes an image from a filter reads it only; whoever makes a filter from
 * an image hands the arrays over.
 */
public final class FilterImage {

    private final String kind;
    private final long[] parameters;
    private final List<long[]> sections;

    /**
     * @param kind the name in {@link Filters#kinds()}
     * @param parameters numbers in the kind's own order; doubles by {@link Double#doubleToRawLongBits(double)}
     * @param sections arrays made by {@code dev.besom.bits.Words}: their lead-in words are not part of the state
     */
    public FilterImage(String kind, long[] parameters, List<long[]> sections) {
        this.kind = kind;
        this.parameters = parameters;
        this.sections = List.copyOf(sections);
    }

    public String kind() {
        return kind;
    }

    public int parameterCount() {
        return parameters.length;
    }

    public long parameter(int index) {
        return parameters[index];
    }

    public double doubleParameter(int index) {
        return Double.longBitsToDouble(parameters[index]);
    }

    public List<long[]> sections() {
        return sections;
    }

    /**
     * Refuses an image of another form.
     *
     * @throws MalformedFilterException if the image has other numbers of parameters or sections
     */
    public void checkForm(int parameterCount, int sectionCount) {
        check(
                parameters.length == parameterCount && sections.size() == sectionCount,
                parameters.length + " parameters and " + sections.size() + " sections are not its form");
    }

    /**
     * Refuses an image for a reason.
     *
     * @throws MalformedFilterException if the condition does not hold; the message starts with the kind
     */
    public void check(boolean condition, String complaint) {
        if (!condition) {
            throw new MalformedFilterException(kind + ": " + complaint);
        }
    }

    /**
     * Refuses an image of which a damaged filter came.
     *
     * @param invariants throws an {@link IllegalStateException} if the filter is damaged
     * @throws MalformedFilterException if it is; the message starts with the kind
     */
    public void checkInvariants(Runnable invariants) {
        try {
            invariants.run();
        } catch (IllegalStateException e) {
            throw new MalformedFilterException(kind + ": " + e.getMessage(), e);
        }
    }
}
